/** A report with given measurements, for the tests of what is made from reports. */
import type { Measurement, Report, Unit } from '../../bench/report/measurement.ts';
import { REPORT_FORMAT } from '../../bench/report/measurement.ts';

export const measurementOf = (id: string, unit: Unit, samples: readonly number[]): Measurement => ({
  id,
  label: id,
  unit,
  samples,
});

export const reportOf = (measurements: readonly Measurement[]): Report => ({
  format: REPORT_FORMAT,
  startedAt: '2026-11-20T10:00:00.000Z',
  tookMs: 1_000,
  isQuick: false,
  machine: {
    processor: 'Test processor',
    cores: 2,
    memoryBytes: 1024 ** 3,
    system: 'Test system',
    node: 'v20.0.0',
    v8: '11',
    commit: '',
    loadAverage: 0,
  },
  sections: [{ id: 'part', title: 'Part', measurements, notes: [] }],
  targets: [],
});
