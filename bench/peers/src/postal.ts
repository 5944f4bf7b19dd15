/** Postal codes and patterns: exact, range of digits, prefix; the most specific wins. */

const UK = new Set(['GB', 'GG', 'JE', 'IM']);

export function canonicalCode(country: string, code: string): string {
  if (UK.has(country)) {
    const packed = code.toUpperCase().replace(/\s+/g, '');
    return packed.length >= 5 && packed.length <= 7 ? `${packed.slice(0, -3)} ${packed.slice(-3)}` : packed;
  }
  const packed = code.toUpperCase().replace(/[\s-]+/g, '');
  return country === 'US' && /^\d{9}$/.test(packed) ? packed.slice(0, 5) : packed;
}

export const canonicalPart = (country: string, part: string): string =>
  UK.has(country)
    ? part.trim().toUpperCase().replace(/\s+/g, ' ')
    : part.toUpperCase().replace(/[\s-]+/g, '');

interface Range {
  readonly from: string;
  readonly to: string;
  readonly width: number;
  readonly owner: number;
}

/** Patterns of several owners, in the form of one country; asked for the owner of a code. */
export class PostalMatcher {
  readonly #exact = new Map<string, number>();
  readonly #ranges: Range[] = [];
  readonly #prefixes = new Map<string, number>();
  readonly #prefixLengths: number[];

  constructor(country: string, lists: readonly (readonly string[])[]) {
    lists.forEach((patterns, owner) => {
      for (const pattern of patterns) this.#add(country, pattern, owner);
    });
    this.#ranges.sort((a, b) => a.width - b.width || a.owner - b.owner);
    this.#prefixLengths = [...new Set([...this.#prefixes.keys()].map((prefix) => prefix.length))];
    this.#prefixLengths.sort((a, b) => b - a);
  }

  #add(country: string, pattern: string, owner: number): void {
    if (pattern.endsWith('*')) {
      const prefix = canonicalPart(country, pattern.slice(0, -1));
      if (!this.#prefixes.has(prefix)) this.#prefixes.set(prefix, owner);
      return;
    }
    const [, from, to] = /^(\d+)-(\d+)$/.exec(pattern.replace(/\s+/g, '')) ?? [];
    if (from !== undefined && to !== undefined && from.length === to.length) {
      this.#ranges.push({ from, to, width: Number(to) - Number(from), owner });
      return;
    }
    const code = canonicalCode(country, pattern);
    if (!this.#exact.has(code)) this.#exact.set(code, owner);
  }

  /** Index of the owner, or -1. */
  find(code: string): number {
    if (code === '') return -1;
    const exact = this.#exact.get(code);
    if (exact !== undefined) return exact;
    if (/^\d+$/.test(code)) {
      for (const { from, to, owner } of this.#ranges) {
        if (from.length === code.length && from <= code && code <= to) return owner;
      }
    }
    for (const length of this.#prefixLengths) {
      if (length > code.length) continue;
      const owner = this.#prefixes.get(code.slice(0, length));
      if (owner !== undefined) return owner;
    }
    return -1;
  }
}
