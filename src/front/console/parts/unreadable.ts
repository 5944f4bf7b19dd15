/**
 * Whether a field of a page holds a text that is no value. The values of its form are then older than what the reader sees,
 * and what is made of them must say so.
 */
import { createContext, useCallback, useMemo, useState } from 'react';

interface Reported {
  /** A field cannot be read. */
  readonly isAny: boolean;
  /** `field` is an id of the page. */
  readonly report: (field: string, isBad: boolean) => void;
}

export const Unreadable = createContext<Reported>({ isAny: false, report: () => {} });

/** For the provider above the fields. */
export function useUnreadable(): Reported {
  const [bad, setBad] = useState<ReadonlySet<string>>(new Set());
  const report = useCallback((field: string, isBad: boolean): void => {
    setBad((last) => {
      if (last.has(field) === isBad) return last;
      return new Set(isBad ? [...last, field] : [...last].filter((other) => other !== field));
    });
  }, []);
  const isAny = bad.size > 0;
  return useMemo(() => ({ isAny, report }), [isAny, report]);
}
