/**
 * Enough of PromQL to say whether an expression can be meant: syntax, types, and which series it asks for.
 * Functions and aggregations that nobody uses here are refused like misspelt ones.
 */

export interface AskedSeries {
  readonly name: string;
  /** Labels that it is filtered by. */
  readonly labels: readonly string[];
  /** Read over a range as what counts up, which nothing else may be. */
  readonly isCounted: boolean;
}

type Type = 'scalar' | 'vector' | 'range';

const TOKEN =
  /\s*(?:([a-zA-Z_:][a-zA-Z0-9_:]*)|(\d+(?:\.\d+)?)|("(?:[^"\\]|\\.)*")|(=~|!~|!=|==|>=|<=|[-+*/(){}[\],=<>]))/y;
const DURATION = /\s*(?:(?:\d+(?:ms|[smhdwy]))+|\$__rate_interval)\s*\]/y;
const LEVELS = [
  ['==', '!=', '>', '<', '>=', '<='],
  ['+', '-'],
  ['*', '/'],
] as const;
const AGGREGATIONS = new Set(['sum', 'max', 'min', 'avg', 'count']);
const FUNCTIONS: Readonly<Record<string, readonly Type[]>> = {
  rate: ['range'],
  increase: ['range'],
  changes: ['range'],
  histogram_quantile: ['scalar', 'vector'],
};

/** The series that an expression asks for. Throws `SyntaxError` for one that is none. */
export function readPromQl(text: string): readonly AskedSeries[] {
  const reader = new Reader(text);
  if (reader.expression(0) === 'range') throw new SyntaxError(`a range alone shows nothing: ${text}`);
  if (!reader.isAtEnd) throw new SyntaxError(`more than one expression: ${text}`);
  return reader.asked;
}

class Reader {
  readonly asked: AskedSeries[] = [];
  readonly #text: string;
  #at = 0;
  /** The innermost function around what is being read. */
  #inside = '';

  constructor(text: string) {
    this.#text = text;
  }

  get isAtEnd(): boolean {
    return this.#text.slice(this.#at).trim() === '';
  }

  expression(level: number): Type {
    const operators: readonly string[] | undefined = LEVELS[level];
    if (operators === undefined) return this.#operand();
    let type = this.expression(level + 1);
    while (operators.includes(this.#peek())) {
      this.#next();
      const right = this.expression(level + 1);
      if (type === 'range' || right === 'range') this.#fail('a range has no operators');
      if (right === 'vector') type = 'vector';
    }
    return type;
  }

  #operand(): Type {
    const token = this.#next();
    if (token === '(') {
      const type = this.expression(0);
      this.#expect(')');
      return type;
    }
    if (/^\d/.test(token)) return 'scalar';
    if (AGGREGATIONS.has(token)) return this.#aggregation();
    if (this.#peek() === '(') return this.#call(token);
    return this.#selector(token);
  }

  #aggregation(): Type {
    const isBefore = this.#grouping();
    this.#expect('(');
    if (this.expression(0) !== 'vector') this.#fail('an aggregation takes a vector');
    this.#expect(')');
    if (!isBefore) this.#grouping();
    return 'vector';
  }

  /** `by (a, b)` or nothing. */
  #grouping(): boolean {
    if (!['by', 'without'].includes(this.#peek())) return false;
    this.#next();
    this.#expect('(');
    do if (!/^[a-z_]+$/.test(this.#next())) this.#fail('a label is expected');
    while (this.#takes(','));
    this.#expect(')');
    return true;
  }

  #call(name: string): Type {
    const parameters = Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name] : undefined;
    if (parameters === undefined) return this.#fail(`no function ${name}`);
    const outside = this.#inside;
    this.#inside = name;
    this.#expect('(');
    for (const [index, type] of parameters.entries()) {
      if (index > 0) this.#expect(',');
      const from = this.#at;
      if (this.expression(0) !== type) this.#fail(`${name} takes ${parameters.join(', ')}`);
      const argument = this.#text.slice(from, this.#at);
      if (name === 'histogram_quantile' && type === 'vector' && !/\bby \([^)]*\ble\b/.test(argument)) {
        this.#fail('without le there are no buckets left');
      }
    }
    this.#expect(')');
    this.#inside = outside;
    return 'vector';
  }

  #selector(name: string): Type {
    if (!/^[a-z]/.test(name)) this.#fail(`${name} is no metric`);
    const labels: string[] = [];
    if (this.#takes('{')) {
      do {
        labels.push(this.#next());
        if (!['=', '!=', '=~', '!~'].includes(this.#next())) this.#fail('a comparison is expected');
        if (!this.#next().startsWith('"')) this.#fail('a text is expected');
      } while (this.#takes(','));
      this.#expect('}');
    }
    const isRange = this.#takes('[');
    if (isRange) {
      DURATION.lastIndex = this.#at;
      if (!DURATION.test(this.#text)) this.#fail('a duration is expected');
      this.#at = DURATION.lastIndex;
    }
    this.asked.push({ name, labels, isCounted: isRange && this.#inside !== 'changes' });
    return isRange ? 'range' : 'vector';
  }

  #peek(): string {
    const at = this.#at;
    if (this.isAtEnd) return '';
    const token = this.#next();
    this.#at = at;
    return token;
  }

  #next(): string {
    TOKEN.lastIndex = this.#at;
    const match = TOKEN.exec(this.#text);
    if (match === null) return this.#fail('nothing that is known');
    this.#at = TOKEN.lastIndex;
    return match[0].trim();
  }

  #takes(token: string): boolean {
    if (this.#peek() !== token) return false;
    this.#next();
    return true;
  }

  #expect(token: string): void {
    if (!this.#takes(token)) this.#fail(`${token} is expected`);
  }

  #fail(what: string): never {
    throw new SyntaxError(`${what} at ${this.#at}: ${this.#text}`);
  }
}
