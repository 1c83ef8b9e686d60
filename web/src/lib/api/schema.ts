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
      account?: components['schemas']['AccountView'] | null;
      club: components['schemas']['ClubView'];
      version: string;
    };
    TimeControlView: { kind: 'fischer'; initial_ms: number; increment_ms: number } | { kind: 'unlimited' } | { kind: 'other' };
    NewChallenge: { time: components['schemas']['TimeControlView']; color: components['schemas']['ColorChoice'] };
    PlayerView: { id: string; name: string; guest: boolean };
    ChallengeView: {
      id: string;
      state: 'open' | 'accepted' | 'cancelled';
      time: components['schemas']['TimeControlView'];
      color: components['schemas']['ColorChoice'];
      challenger: components['schemas']['PlayerView'];
      is_mine: boolean;
      url: string;
      created_at: number;
    };
    Players: { white: components['schemas']['PlayerView']; black: components['schemas']['PlayerView'] };
    ClocksView: { white_ms?: number | null; black_ms?: number | null; running?: components['schemas']['Color'] | null };
    Outcome:
      | { kind: 'win'; winner: components['schemas']['Color']; by: string }
      | { kind: 'draw'; by: string }
      | { kind: 'aborted'; by: string };
    Around: {
      present: { white: boolean; black: boolean };
      watchers: number;
      rematch: { by: components['schemas']['Color']; game?: string | null } | null;
    };
    MoveView: {
      ply: number;
      uci: string;
      san: string;
      fen: string;
      check?: string | null;
      left_ms?: number | null;
    };
    GameCard: {
      id: string;
      players: components['schemas']['Players'];
      time: components['schemas']['TimeControlView'];
      fen: string;
      last?: [string, string] | null;
      ply: number;
      clocks: components['schemas']['ClocksView'];
      to_act?: components['schemas']['Color'] | null;
      created_at: number;
    };
    GamePage: { games: components['schemas']['GameCard'][]; next?: string | null };
    GameView: {
      id: string;
      version: number;
      variant: 'standard';
      players: components['schemas']['Players'];
      time: components['schemas']['TimeControlView'];
      you?: components['schemas']['Color'] | null;
      start_fen: string;
      fen: string;
      ply: number;
      to_act?: components['schemas']['Color'] | null;
      dests: string;
      check?: string | null;
      moves: components['schemas']['MoveView'][];
      clocks: components['schemas']['ClocksView'];
      outcome?: components['schemas']['Outcome'] | null;
      draw_offer?: components['schemas']['Color'] | null;
      can_abort: boolean;
      paused: boolean;
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
      | ({ kind: 'challenge' } & components['schemas']['ChallengeView'])
      | { kind: 'lobby'; games: components['schemas']['GameCard'][] };
    GameChange:
      | { kind: 'draw_offered'; by: components['schemas']['Color'] }
      | { kind: 'draw_declined'; by: components['schemas']['Color'] }
      | { kind: 'ended'; outcome: components['schemas']['Outcome'] }
      | { kind: 'paused' }
      | { kind: 'resumed' }
      | { kind: 'other' };
    ServerMsg:
      | { t: 'hello'; version: string; account?: string | null }
      | { t: 'state'; room: string; version: number; state: components['schemas']['RoomState'] }
      | {
          t: 'played';
          game: string;
          version: number;
          ply: number;
          uci: string;
          san: string;
          fen: string;
          check?: string | null;
          dests: string;
          to_act?: components['schemas']['Color'] | null;
          clocks: components['schemas']['ClocksView'];
          can_abort: boolean;
        }
      | {
          t: 'changed';
          game: string;
          version: number;
          change: components['schemas']['GameChange'];
          clocks: components['schemas']['ClocksView'];
        }
      | { t: 'skipped'; room: string; version: number }
      | { t: 'around'; game: string; around: components['schemas']['Around'] }
      | { t: 'rejected'; game?: string | null; ply?: number | null; code: string; reason: string }
      | { t: 'notice'; code: string; text: string }
      | { t: 'gone'; room: string; code: string; reason: string };
  };
}
