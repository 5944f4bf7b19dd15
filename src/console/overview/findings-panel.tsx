/** Findings of the lint, errors first, each with the cart that shows it where there is one. */
import type { Schemas } from '../../client/call-table.ts';
import { useSignedIn } from '../app-state.ts';
import { LongList } from '../parts/long-list.tsx';
import { FailureNotice, Loading, Notice } from '../parts/notice.tsx';
import { useAnswer } from '../parts/use-answer.ts';
import { formatPlace } from '../place.ts';

type Finding = Schemas['Finding'];

const SEVERITIES = {
  error: ['bad', 'Error'],
  warning: ['warning', 'Warning'],
  info: ['', 'Note'],
} as const;

/** The page that edits a record of the kind; subzones and rules are edited with the record that they belong to. */
const EDITORS: Readonly<Record<Finding['record']['kind'], string>> = {
  zone: 'zones',
  subzone: 'zones',
  productGroup: 'groups',
  method: 'methods',
  rule: 'methods',
  blendedRate: 'blends',
  check: 'checks',
};

export function FindingsPanel() {
  const { calls } = useSignedIn();
  const { value, failure, isLoading } = useAnswer(
    (signal) => calls.lintConfig({ query: { view: 'live' }, signal }),
    [],
  );
  return (
    <section class="panel stack" aria-label="Findings" aria-busy={isLoading}>
      <h2>
        Findings <span class="count">{value?.findings.length ?? '…'}</span>
      </h2>
      <FailureNotice failure={failure} />
      {value === null ? (
        isLoading && <Loading what="the findings" />
      ) : value.findings.length === 0 ? (
        <Notice kind="good">Nothing in the configuration is wrong or doubtful.</Notice>
      ) : (
        <LongList rows={value.findings} step={10}>
          {(finding) => <FindingLine finding={finding} />}
        </LongList>
      )}
      {value?.omitted.map(({ code, count }) => (
        <p key={code} class="quiet">
          {count.toLocaleString()} more findings of the kind <code>{code}</code> are not listed.
        </p>
      ))}
    </section>
  );
}

function FindingLine({ finding: { severity, message, record, witness } }: { readonly finding: Finding }) {
  const [kind, name] = SEVERITIES[severity];
  const methodId =
    record.kind === 'method' ? record.id : record.kind === 'rule' ? record.parentId : undefined;
  return (
    <>
      <span class={`badge ${kind}`}>{name}</span> {message}{' '}
      <a
        href={formatPlace({ page: EDITORS[record.kind], parameters: { open: record.parentId ?? record.id } })}
      >
        Open the record
      </a>
      {witness === null ? null : ' · '}
      {witness === null ? null : (
        <a
          data-row
          href={formatPlace({
            page: 'tester',
            parameters: {
              cart: JSON.stringify(witness.request),
              at: witness.at,
              columns: 'live',
              open: methodId ?? '',
            },
          })}
        >
          Open a cart that shows it
        </a>
      )}
    </>
  );
}
