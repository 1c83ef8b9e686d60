/**
 * Stand-in for the file that `make types` generates from the OpenAPI document.
 */
export interface components {
  schemas: {
    Color: 'white' | 'black';
    ColorChoice: 'white' | 'black' | 'random';
    AccountView: { id: string; name: string; guest: boolean };
    ClubView: { name: string; is_set_up: boolean };
    Me: {
      account: components['schemas']['AccountView'] | null;
      club: components['schemas']['ClubView'];
      version: string;
    };
    TimeControl: { kind: 'fischer'; initial_ms: number; increment_ms: number } | { kind: 'unlimited' };
    NewChallenge: { time: components['schemas']['TimeControl']; color: components['schemas']['ColorChoice'] };
    PlayerView: { id: string; name: string; guest: boolean };
    Challenge: {
      id: string;
      state: 'open' | 'accepted' | 'cancelled';
      time: components['schemas']['TimeControl'];
      color: components['schemas']['ColorChoice'];
      challenger: components['schemas']['PlayerView'];
      is_mine: boolean;
      url: string;
      created_at: number;
    };
    Players: { white: components['schemas']['PlayerView']; black: components['schemas']['PlayerView'] };
    Clocks: { white_ms: number | null; black_ms: number | null; running: components['schemas']['Color'] | null };
    Outcome:
      | { kind: 'win'; winner: components['schemas']['Color']; by: string }
      | { kind: 'draw'; by: string }
      | { kind: 'aborted' };
    Around: {
      present: { white: boolean; black: boolean };
      watchers: number;
      rematch: { by: components['schemas']['Color']; game: string | null } | null;
    };
    MoveView: {
      ply: number;
      uci: string;
      san: string;
      fen: string;
      check: string | null;
      left_ms: number | null;
    };
    GameCard: {
      id: string;
      players: components['schemas']['Players'];
      time: components['schemas']['TimeControl'];
      fen: string;
      last: string[] | null;
      ply: number;
      clocks: components['schemas']['Clocks'];
      to_act: components['schemas']['Color'] | null;
    };
    GamePage: { games: components['schemas']['GameCard'][]; next: string | null };
    GameView: {
      id: string;
      version: number;
      variant: 'standard';
      players: components['schemas']['Players'];
      time: components['schemas']['TimeControl'];
      you: components['schemas']['Color'] | null;
      start_fen: string;
      fen: string;
      ply: number;
      to_act: components['schemas']['Color'] | null;
      dests: string;
      check: string | null;
      moves: components['schemas']['MoveView'][];
      clocks: components['schemas']['Clocks'];
      outcome: components['schemas']['Outcome'] | null;
      draw_offer: components['schemas']['Color'] | null;
      can_abort: boolean;
      created_at: number;
      around: components['schemas']['Around'];
    };
    Problem: { type: string; title: string; status: number; code: string; detail: string };
    ClientMsg:
      | { t: 'join'; room: string }
      | { t: 'leave'; room: string }
      | { t: 'resume'; room: string; version: number }
      | { t: 'move'; game: string; ply: number; uci: string }
      | {
          t: 'resign' | 'offer_draw' | 'accept_draw' | 'decline_draw' | 'abort' | 'rematch';
          game: string;
        };
    RoomState:
      | ({ kind: 'game' } & components['schemas']['GameView'])
      | ({ kind: 'challenge' } & components['schemas']['Challenge'])
      | { kind: 'lobby'; games: components['schemas']['GameCard'][] };
    Change:
      | { kind: 'draw_offered'; by: components['schemas']['Color'] }
      | { kind: 'draw_declined'; by: components['schemas']['Color'] }
      | { kind: 'ended'; outcome: components['schemas']['Outcome'] }
      | { kind: 'paused' }
      | { kind: 'resumed' };
    ServerMsg:
      | { t: 'hello'; version: string; account: components['schemas']['AccountView'] | null }
      | { t: 'state'; room: string; version: number; state: components['schemas']['RoomState'] }
      | {
          t: 'played';
          game: string;
          version: number;
          ply: number;
          uci: string;
          san: string;
          fen: string;
          check: string | null;
          dests: string;
          to_act: components['schemas']['Color'] | null;
          clocks: components['schemas']['Clocks'];
        }
      | {
          t: 'changed';
          game: string;
          version: number;
          change: components['schemas']['Change'];
          clocks: components['schemas']['Clocks'];
        }
      | { t: 'skipped'; room: string; version: number }
      | { t: 'around'; game: string; around: components['schemas']['Around'] }
      | { t: 'rejected'; game: string; ply: number | null; code: string; reason: string }
      | { t: 'notice'; code: string; text: string }
      | { t: 'gone'; room: string; code: string; reason: string };
  };
}
