/** Findings of an import: errors, which prevent any write, and remarks. */
import type { ConfigData } from '../wire/write-bodies.ts';

export interface SourceFinding {
  /** Line of a table (the header is 1), or JSON path into an export. */
  readonly row: number | string;
  /** Name of the column or field; null when it is about the whole row. */
  readonly column: string | null;
  /** For programs: lower case with underscores. */
  readonly code: string;
  readonly message: string;
  /** A postal code on which source and result differ. */
  readonly witness?: string;
}

export interface Imported {
  /** null when there are errors. */
  readonly data: ConfigData | null;
  /** Rows that cannot be read. */
  readonly errors: readonly SourceFinding[];
  /** What is read but cannot be expressed, or not exactly. */
  readonly remarks: readonly SourceFinding[];
}

/** Findings kept of one source; with more it is most likely the wrong file. */
const FINDINGS_MAX = 10_000;

export class SourceFindings {
  readonly #list: SourceFinding[] = [];

  add(
    row: SourceFinding['row'],
    column: string | null,
    code: string,
    message: string,
    witness?: string,
  ): void {
    if (this.#list.length >= FINDINGS_MAX) return;
    this.#list.push({ row, column, code, message, ...(witness === undefined ? {} : { witness }) });
  }

  get list(): readonly SourceFinding[] {
    return this.#list;
  }
}
