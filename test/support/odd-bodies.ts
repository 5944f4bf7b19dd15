/** Unusual bodies: values that have broken servers before, and damaged valid bodies. */
import fc from 'fast-check';

/** Values that have broken servers before. */
export const NASTY_VALUES: readonly unknown[] = [
  null,
  true,
  -1,
  0,
  1.5,
  -0,
  2 ** 53,
  1e308,
  '',
  ' ',
  '\u0000',
  '\ud800',
  '__proto__',
  'x'.repeat(300),
  [],
  {},
  [[]],
  Array(200).fill(0),
];

/** These values, and random others. */
export const nasty = fc.oneof(fc.jsonValue(), fc.constantFrom(...NASTY_VALUES));

/** The body with one value replaced, removed or added. */
export const mutated = (body: unknown): fc.Arbitrary<unknown> =>
  fc
    .tuple(fc.nat(), nasty, fc.constantFrom('replace', 'remove', 'add'), fc.string())
    .map(([place, value, how, name]) => {
      const copy = structuredClone(body);
      const containers = containersOf(copy);
      const container = containers[place % containers.length] ?? {};
      const names = Object.keys(container);
      const chosen = how === 'add' ? name : (names[place % Math.max(1, names.length)] ?? name);
      // The length of an array is not a field.
      if (chosen === 'length') return copy;
      if (how === 'remove') Reflect.deleteProperty(container, chosen);
      else setField(container, chosen, value);
      return copy;
    });

/** Defines the property and does not assign it, so that a name such as __proto__ becomes a field. */
export function setField(container: object, name: string, value: unknown): void {
  Reflect.defineProperty(container, name, { value, enumerable: true, configurable: true, writable: true });
}

/** All nested objects and arrays of the value, itself first. */
export function containersOf(value: unknown): Record<string, unknown>[] {
  if (typeof value !== 'object' || value === null) return [];
  return [value as Record<string, unknown>, ...Object.values(value).flatMap(containersOf)];
}

/** A text with one character cut out, doubled or replaced. */
export const scratched = (text: string): fc.Arbitrary<string> =>
  fc
    .tuple(fc.nat({ max: text.length }), fc.string({ maxLength: 3 }), fc.nat({ max: 2 }))
    .map(([at, put, cut]) => text.slice(0, at) + put + text.slice(at + cut));

/** Bytes to insert into a text, which make it invalid JSON or change its meaning. */
export const SPOILERS: readonly (readonly number[])[] = [
  // A byte order mark, NUL, halves of characters, an overlong slash, a surrogate as bytes.
  ...[[0xef, 0xbb, 0xbf], [0], [0xc3], [0x80], [0xff], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0x0b]],
  ...['1e400', '-1e400', '1e-400', '00', '"\\ud800"', '{"__proto__":1}', ',"a":1,"a":2'].map((text) => [
    ...Buffer.from(text),
  ]),
];

/** The bytes of a JSON text with bytes inserted, one byte short, or cut anywhere. */
export const spoilt = (text: string): fc.Arbitrary<Uint8Array> => {
  const bytes = Buffer.from(text);
  const at = fc.nat({ max: bytes.length });
  return fc.oneof(
    fc
      .tuple(at, fc.constantFrom(...SPOILERS))
      .map(([place, put]) =>
        Buffer.concat([bytes.subarray(0, place), Uint8Array.from(put), bytes.subarray(place)]),
      ),
    fc.constant(bytes.subarray(0, -1)),
    at.map((place) => bytes.subarray(0, place)),
  );
};
