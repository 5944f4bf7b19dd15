/** A postal pattern in its zone, and the verdict of the lint on it. */
import type { PostalPattern } from '../domain/postal-code.ts';

export interface PlacedPattern {
  /** Index of its subzone. */
  readonly owner: number;
  /** As the merchant wrote it. */
  readonly text: string;
  readonly pattern: PostalPattern;
}

/** `never_wins`: every code that it matches is decided by a stronger one. `redundant`: see `zone-postal.ts`. */
export type PatternVerdict = 'needed' | 'redundant' | 'never_wins';
