/** The whole configuration as a file: exported from the shop, or imported after a preview. */
import { useState } from 'preact/hooks';
import { useApp, useSignedIn } from '../app-state.ts';
import { Notice } from '../parts/notice.tsx';
import { type ConfigData, readConfigText } from './config-file.ts';
import { ExportPanel } from './export-panel.tsx';
import { ImportPreview } from './import-preview.tsx';

interface ChosenFile {
  readonly name: string;
  /** Another one for each chosen file. */
  readonly number: number;
  readonly data: ConfigData | string;
}

export function ImportPage() {
  const app = useApp();
  const { mayWrite } = useSignedIn();
  const [file, setFile] = useState<ChosenFile | null>(null);
  const take = async (list: FileList | null): Promise<void> => {
    const [chosen] = list ?? [];
    if (chosen === undefined) return;
    const data = readConfigText(await chosen.text());
    setFile((last) => ({ name: chosen.name, number: (last?.number ?? 0) + 1, data }));
  };
  return (
    <div class={`split ${file === null ? '' : 'with-detail'}`}>
      <div class="stack">
        <section class="panel stack" aria-label="Import">
          <h1>Import</h1>
          <p>
            {app.changeset.value === null
              ? 'A file replaces the live configuration, after a preview of what that changes.'
              : 'A file replaces the configuration of the changeset, after a preview of what that changes.'}
          </p>
          {mayWrite ? null : (
            <Notice kind="info">This key may see the preview, but not replace anything.</Notice>
          )}
          <div class="field">
            <label for="config-file">Configuration (JSON, as exported)</label>
            <input
              id="config-file"
              type="file"
              accept=".json,application/json"
              onChange={({ currentTarget }) => {
                void take(currentTarget.files);
                // The same file can be chosen again once it was corrected.
                currentTarget.value = '';
              }}
            />
          </div>
          {typeof file?.data === 'string' ? (
            <Notice kind="bad">
              {file.name}: {file.data}
            </Notice>
          ) : null}
          <p class="quiet">
            Tables of Magento and WebShopApps, zones of WooCommerce: <code>ratewright import --from</code> on
            the command line translates them into such a file.
          </p>
        </section>
        <ExportPanel />
      </div>
      {file === null || typeof file.data === 'string' ? null : (
        <ImportPreview
          key={file.number}
          name={file.name}
          data={file.data}
          onData={(data) => setFile({ ...file, data })}
          onDone={() => setFile(null)}
        />
      )}
    </div>
  );
}
