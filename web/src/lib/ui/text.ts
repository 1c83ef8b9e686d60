// The page's texts. English is the first language and names the keys; the others follow its file.
import en from './messages/en.json';

/** The name of a text. */
export type TextKey = keyof typeof en;

/** The name of a text that counts something: it has a form per plural category. */
export type CountedKey = { [K in TextKey]: K extends `${infer Stem}.other` ? Stem : never }[TextKey];

type Params = Record<string, string | number>;

const messages: Record<string, string> = en;
const plurals = new Intl.PluralRules('en');

/** The text of this name with its `{holes}` filled. */
export function t(key: TextKey, params: Params = {}): string {
  return fill(messages[key] ?? key, params);
}

/** The text for this number of things; `{count}` is the number. */
export function tn(stem: CountedKey, count: number, params: Params = {}): string {
  const text = messages[`${stem}.${plurals.select(count)}`] ?? messages[`${stem}.other`] ?? stem;
  return fill(text, { ...params, count });
}

/** The text of a name that comes from outside, or the one given for names nobody has foreseen. */
export function tOr(key: string, otherwise: TextKey, params: Params = {}): string {
  return fill(messages[key] ?? t(otherwise), params);
}

/** Whether there is a text of this name, for names that come from outside. */
export function hasText(key: string): boolean {
  return key in messages;
}

function fill(text: string, params: Params): string {
  return text.replace(/\{(\w+)\}/g, (hole, name: string) => String(params[name] ?? hole));
}
