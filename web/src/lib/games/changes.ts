// How a game looks after the server has told of one more event. Values in, value out; the rules are the server's.
import type { ChatLine, Clocks, Color, GameView, ServerMsgOf } from '$lib/api/types';
import { otherColor } from '$lib/board/placement';
import { canTakeBack } from './takeback';

/** The game after a move. */
export function afterMove(view: GameView, played: ServerMsgOf<'played'>): GameView {
  const { version, ply, by, uci, san, fen, check, dests, to_act, clocks, can_abort, can_claim_draw } = played;
  const move = { by, uci, san, fen, check, left_ms: leftOf(clocks, by) };
  const moves = [...view.moves, { ...move, ply: view.ply + 1 }, ...passes(view.ply + 1, played)];
  return {
    ...view,
    ...{ version, ply, fen, check, dests, to_act, clocks, can_abort, can_claim_draw },
    you: sideNow(view, to_act),
    adjournment_offer: null,
    can_adjourn: view.you !== null && to_act !== null,
    moves,
    lag: { ...view.lag, [by]: played.lag_ms },
    // Who answers an offer with a move has declined it.
    draw_offer: view.draw_offer === by ? view.draw_offer : null,
    takeback_offer: null,
    // A position without a name of its own keeps the last name.
    opening: played.opening ?? view.opening,
    can_take_back: canTakeBack({ ...view, ply, moves, to_act }),
  };
}

/** My side: at one computer, where one browser makes all moves, it goes over to whoever is to act. */
function sideNow({ one_computer, you }: GameView, to_act: Color | null): Color | null {
  return one_computer && you !== null ? (to_act ?? you) : you;
}

/** Slots in which nobody had a choice (ChessDefender): the server passes by itself and tells it with the move before. */
function passes(from: number, { ply, by: mover, fen, check, clocks }: ServerMsgOf<'played'>): GameView['moves'] {
  return Array.from({ length: ply - from }, (_, i) => {
    const by = i % 2 === 0 ? otherColor(mover) : mover;
    return { ply: from + i + 1, by, uci: '--', san: '--', fen, check, left_ms: leftOf(clocks, by) };
  });
}

/** The game after something else than a move. */
export function afterChange(view: GameView, changed: ServerMsgOf<'changed'>): GameView {
  const { version, change, clocks } = changed;
  const next = { ...view, version, clocks };
  switch (change.kind) {
    case 'draw_offered':
      return { ...next, draw_offer: change.by };
    case 'draw_declined':
      return { ...next, draw_offer: null };
    case 'takeback_offered':
      return { ...next, takeback_offer: change.by };
    case 'takeback_declined':
      return { ...next, takeback_offer: null };
    case 'taken_back':
      return afterTakeback(next, change);
    case 'ended':
      return afterEnd(next, change);
    case 'adjournment_offered':
      return { ...next, adjournment_offer: change.by, can_adjourn: change.by !== view.you };
    case 'adjournment_declined':
      return { ...next, adjournment_offer: null, can_adjourn: view.adjourned || change.by === view.you };
    case 'adjourned':
      return { ...next, paused: true, adjourned: true, adjournment_offer: null, can_adjourn: view.you !== null };
    case 'paused':
      return { ...next, paused: true };
    case 'resumed':
      return { ...next, paused: false, adjourned: false, adjournment_offer: null };
    case 'handed_in':
      return {
        ...next,
        // The other side's army comes next.
        you: sideNow(view, change.by === 'white' ? 'black' : 'white'),
        gmo: next.gmo && { ...next.gmo, ready: { ...next.gmo.ready, [change.by]: true } },
      };
    case 'started': {
      const { fen, dests, to_act } = change;
      return { ...next, ...{ fen, dests, to_act }, start_fen: fen, you: sideNow(view, to_act) };
    }
    case 'time_added':
    case 'other':
      return next;
  }
}

type TakenBack = Extract<ServerMsgOf<'changed'>['change'], { kind: 'taken_back' }>;

function afterTakeback(view: GameView, back: TakenBack): GameView {
  const { ply, fen, dests, check, to_act, opening, can_abort, can_claim_draw } = back;
  const moves = view.moves.filter((move) => move.ply <= ply);
  return {
    ...view,
    ...{ ply, fen, dests, check, to_act, opening, can_abort, can_claim_draw },
    you: sideNow(view, to_act),
    moves,
    takeback_offer: null,
    draw_offer: null,
    can_take_back: canTakeBack({ ...view, ply, moves, to_act }),
  };
}

type Ended = Extract<ServerMsgOf<'changed'>['change'], { kind: 'ended' }>;

function afterEnd(view: GameView, { outcome, seed }: Ended): GameView {
  return {
    ...view,
    outcome,
    gmo: view.gmo && { ...view.gmo, seed },
    to_act: null,
    dests: '',
    draw_offer: null,
    takeback_offer: null,
    can_abort: false,
    can_take_back: false,
    can_give_time: false,
    can_claim_draw: false,
    around: { ...view.around, gone: null },
  };
}

/** The game with one more line of talk; a line that is known already is not told twice. */
export function afterLine(view: GameView, line: ChatLine): GameView {
  if (view.chat.some(({ room, number }) => room === line.room && number === line.number)) return view;
  return { ...view, chat: [...view.chat, line] };
}

/** What is left on a clock. */
export function leftOf(clocks: Clocks, color: Color): number | null {
  return color === 'white' ? clocks.white_ms : clocks.black_ms;
}
