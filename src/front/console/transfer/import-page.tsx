/** The whole configuration as a file: exported from the shop, or imported after a preview. */
import { Code, SimpleGrid, Text } from '@mantine/core';
import IconFileUpload from '@tabler/icons-react/icons/IconFileUpload';
import { useState } from 'react';
import { useApp, useSignedIn } from '../app-state.ts';
import { Notice } from '../parts/notice.tsx';
import { Page } from '../parts/page.tsx';
import { type ConfigData, readConfigText } from './config-file.ts';
import { ExportPanel } from './export-panel.tsx';
import { FOREIGN_SYSTEMS, type ForeignSystem, foreignSystemOf, translation } from './foreign-file.ts';
import { ImportPreview } from './import-preview.tsx';

interface ChosenFile {
  readonly name: string;
  /** Another one for each chosen file. */
  readonly number: number;
  readonly foreign: ForeignSystem | undefined;
  readonly data: ConfigData | string;
}

export function ImportPage() {
  const app = useApp();
  const { mayWrite } = useSignedIn();
  const [file, setFile] = useState<ChosenFile | null>(null);
  const take = async (list: FileList | null): Promise<void> => {
    const [chosen] = list ?? [];
    if (chosen === undefined) return;
    const text = await chosen.text();
    const read = { name: chosen.name, foreign: foreignSystemOf(text), data: readConfigText(text) };
    setFile((last) => ({ ...read, number: (last?.number ?? 0) + 1 }));
  };
  return (
    <Page title="Import and export" description="All prices of the shop as one file.">
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
        <section className="panel stack" aria-label="Import">
          <h2>Import</h2>
          <p>
            {app.changeset.value === null
              ? 'A file replaces the live configuration, after a preview of what that changes.'
              : 'A file replaces the configuration of the draft, after a preview of what that changes.'}
          </p>
          {mayWrite ? null : (
            <Notice kind="info">This key may see the preview, but not replace anything.</Notice>
          )}
          <div className="drop">
            <IconFileUpload size={24} aria-hidden="true" />
            <label htmlFor="config-file">
              <Text span fw={600} c="var(--accent)">
                Choose a file
              </Text>{' '}
              or drop it here
              <span className="description">Configuration (JSON, as exported)</span>
            </label>
            <input
              id="config-file"
              type="file"
              accept=".json,.csv,.txt,application/json,text/csv"
              onChange={({ currentTarget }) => {
                void take(currentTarget.files);
                // The same file can be chosen again once it was corrected.
                currentTarget.value = '';
              }}
            />
          </div>
          {typeof file?.data === 'string' ? <Refused file={file} reason={file.data} /> : null}
        </section>
        <ExportPanel />
      </SimpleGrid>
      {file === null || typeof file.data === 'string' ? (
        <OtherSystems />
      ) : (
        <ImportPreview
          key={file.number}
          name={file.name}
          data={file.data}
          onData={(data) => setFile({ ...file, data })}
          onDone={() => setFile(null)}
        />
      )}
    </Page>
  );
}

interface RefusedProps {
  readonly file: Pick<ChosenFile, 'name' | 'foreign'>;
  readonly reason: string;
}

function Refused({ file: { name, foreign }, reason }: RefusedProps) {
  if (foreign === undefined)
    return (
      <Notice kind="bad">
        {name}: {reason}
      </Notice>
    );
  return (
    <Notice kind="warning">
      <div className="stack">
        <p>
          <strong>
            {name} is a file of {foreign.name}, not a configuration.
          </strong>{' '}
          This command translates it, and says what it cannot; then choose shop.json here.
        </p>
        <p>
          <Code>{translation(foreign, name)}</Code>
        </p>
      </div>
    </Notice>
  );
}

const OtherSystems = () => (
  <section className="panel stack" aria-label="From another system">
    <h2>From another system</h2>
    <p>The command line translates its file into a configuration, which you choose above.</p>
    <SimpleGrid component="ul" className="lines" cols={{ base: 1, md: 3 }} spacing="md">
      {FOREIGN_SYSTEMS.map((system) => (
        <li key={system.option} className="stack">
          <h3>{system.name}</h3>
          <p className="quiet">{system.from}</p>
          <p>
            <Code>{translation(system, system.example)}</Code>
          </p>
        </li>
      ))}
    </SimpleGrid>
  </section>
);
