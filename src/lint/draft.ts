/** Findings in the making: what a check hands over, before it is known what gets into the report. */
import type { FindingCode, FindingRecord, Witness } from '../domain/finding.ts';

/** What a finding says in words, with the request that shows it; null where none does or none was found. */
export interface Evidence {
  readonly message: string;
  readonly witness: Witness | null;
}

/** A finding whose words and witness are made only if it gets into the report. */
export interface Draft {
  readonly code: FindingCode;
  readonly record: FindingRecord;
  readonly evidence: () => Evidence;
}
