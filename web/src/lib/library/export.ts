// How an exported file looks: what is said of it in the address.

export const PARTS = ['clocks', 'evals', 'comments', 'variations', 'tags', 'opening'] as const;
export type Part = (typeof PARTS)[number];

export interface ExportForm {
  format: 'pgn' | 'ndjson';
  with: Readonly<Record<Part, boolean>>;
}

/** Everything as it came. */
export const WHOLE: ExportForm = {
  format: 'pgn',
  with: { clocks: true, evals: true, comments: true, variations: true, tags: true, opening: false },
};

/** The form as the server reads it: only what differs from everything is said. */
export function formQuery(form: ExportForm, numbers: readonly number[] = []): string {
  const said = [`format=${form.format}`];
  for (const part of ['clocks', 'evals', 'comments', 'variations'] as const) {
    if (!form.with[part]) said.push(`${part}=false`);
  }
  if (!form.with.tags) said.push('tags=few');
  if (form.with.opening) said.push('openings=true');
  if (numbers.length > 0) said.push(`numbers=${numbers.join(',')}`);
  return said.join('&');
}
