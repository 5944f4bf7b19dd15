/**
 * The options that a program gives to the client. A misspelt or malformed one is a mistake in that program, so it throws:
 * ignored, a deadline would not hold.
 */

/** What an option must be: the sentence and the test. */
export interface OptionKind {
  readonly accepts: string;
  readonly isValid: (value: unknown) => boolean;
}

/** Options by name. */
export type OptionKinds = Readonly<Record<string, OptionKind>>;

/** The longest time that timers take. */
const TIMER_MS_MAX = 2 ** 31 - 1;

export const milliseconds = (minimum: number): OptionKind => ({
  accepts: `a number of milliseconds from ${minimum} to ${TIMER_MS_MAX}`,
  isValid: (value) => typeof value === 'number' && value >= minimum && value <= TIMER_MS_MAX,
});

export const count = (minimum: number): OptionKind => ({
  accepts: `a whole number from ${minimum} up`,
  isValid: (value) => Number.isSafeInteger(value) && Number(value) >= minimum,
});

export const TEXT: OptionKind = { accepts: 'a string', isValid: (value) => typeof value === 'string' };

/** What a header can carry after `Bearer `. */
export const KEY: OptionKind = {
  accepts: 'an API key: visible ASCII characters without spaces',
  isValid: (value) => typeof value === 'string' && /^[!-~]+$/.test(value),
};

export const HTTP_ADDRESS: OptionKind = {
  accepts: 'an address that begins with http:// or https://',
  isValid: (value) => typeof value === 'string' && /^https?:/i.test(value) && URL.canParse(value),
};

export const TEXT_OR_NULL: OptionKind = {
  accepts: 'a string or null',
  isValid: (value) => value === null || TEXT.isValid(value),
};

export const BOOLEAN: OptionKind = {
  accepts: 'true or false',
  isValid: (value) => typeof value === 'boolean',
};

export const OBJECT: OptionKind = {
  accepts: 'an object',
  isValid: (value) => typeof value === 'object' && value !== null,
};

/** Throws `TypeError` when the options that `taker` is given are no object. */
export function requireObject(taker: string, options: unknown): void {
  if (!OBJECT.isValid(options)) throw new TypeError(`the options of ${taker} must be an object`);
}

/**
 * Throws `TypeError` for options that are not of these kinds, and when one of `required` is absent, as undefined is.
 * `taker` takes them.
 */
export function checkOptions(
  taker: string,
  kinds: OptionKinds,
  options: unknown,
  required: readonly string[] = [],
): void {
  requireObject(taker, options);
  const absent = Object.fromEntries(required.map((name) => [name, undefined]));
  for (const [name, value] of Object.entries({ ...absent, ...(options as object) })) {
    const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
    if (kind === undefined) {
      throw new TypeError(`unknown option ${name}: ${taker} takes ${Object.keys(kinds).join(', ')}`);
    }
    if ((value !== undefined || required.includes(name)) && !kind.isValid(value)) {
      throw new TypeError(`option ${name} of ${taker} must be ${kind.accepts}`);
    }
  }
}
