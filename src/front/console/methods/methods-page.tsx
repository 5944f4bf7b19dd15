/**
 * Methods and their rules: a list by zone and group, and an editor with a cart that tries the edit before it is saved. The
 * open method, the search and the cart are in the link; what was typed and not saved stays in the tab.
 */
import { Button, Paper } from '@mantine/core';
import IconPlus from '@tabler/icons-react/icons/IconPlus';
import { useApp, useSignedIn } from '../app-state.ts';
import { Empty, FailureNotice, FirstSteps, Loading } from '../parts/notice.tsx';
import { Page } from '../parts/page.tsx';
import { useEditorKey } from '../parts/record-list.tsx';
import { useAnswer } from '../parts/use-answer.ts';
import { NEW } from '../parts/use-record.ts';
import type { Vocabulary } from './condition-words.ts';
import { MethodEditor } from './method-editor.tsx';
import { copyOf, draftOf, type MethodDraft } from './method-kind.ts';
import { MethodTable } from './method-table.tsx';
import { firstConfig, schemaOf } from './rate-words.ts';
import type { Config } from './trial.ts';

export function MethodsPage() {
  const { changeset } = useApp();
  const { calls } = useSignedIn();
  const config = useAnswer((signal) => calls.getConfig({ signal }), [changeset.value?.id ?? null]);
  const words = useAnswer((signal) => calls.getVocabulary({ signal }), []);
  const failure = config.failure ?? words.failure;
  if (config.value === null || words.value === null) {
    return <Loading what="methods" failure={failure} rows={8} />;
  }
  return (
    <>
      <FailureNotice failure={failure} />
      <Methods config={config.value} isOld={config.isLoading} vocabulary={words.value.vocabulary} />
    </>
  );
}

interface MethodsProps {
  readonly config: Config;
  /** It is read again. */
  readonly isOld: boolean;
  readonly vocabulary: Vocabulary;
}

function Methods({ config, isOld, vocabulary }: MethodsProps) {
  const app = useApp();
  const { mayWrite } = useSignedIn();
  const { open = '', like = '', zone = '', group = '' } = app.place.value.parameters;
  const editorKey = useEditorKey(open);
  const isEditing = open !== '' && config.zones.length > 0;
  const isNone = config.methods.length === 0;
  return (
    <Page
      title={
        <>
          Methods <span className="count">{config.methods.length}</span>
        </>
      }
      description="What customers can choose: a service with a price, for a zone and a product group."
      action={mayWrite && !isNone ? <NewButton /> : undefined}
    >
      <div className={`methods ${isEditing ? 'with-editor' : ''}`}>
        <Paper
          component="section"
          aria-label="Methods"
          className={`panel stack list ${isEditing ? 'pane' : ''}`}
        >
          {!isNone ? (
            <MethodTable config={config} openId={isEditing ? open : ''} />
          ) : config.zones.length === 0 ? (
            <FirstSteps />
          ) : (
            <Empty title="No methods yet" sentence="No cart is offered a rate.">
              {mayWrite ? <NewButton /> : undefined}
            </Empty>
          )}
        </Paper>
        {isEditing ? (
          <MethodEditor
            key={editorKey}
            config={config}
            isOld={isOld}
            vocabulary={vocabulary}
            id={open}
            first={firstDraft(config, vocabulary, like, { zone, group })}
          />
        ) : null}
      </div>
    </Page>
  );
}

function NewButton() {
  const app = useApp();
  return (
    <Button
      variant="filled"
      leftSection={<IconPlus size={16} />}
      onClick={() => app.set({ open: NEW, like: '', tab: '' }, false)}
    >
      New method
    </Button>
  );
}

/** A copy of the method `like`, else a method with a flat price that is not typed yet in the zone and the group of the link. */
function firstDraft(
  config: Config,
  { rateTypes }: Vocabulary,
  like: string,
  { zone, group }: { readonly zone: string; readonly group: string },
): MethodDraft {
  const model = config.methods.find(({ id }) => id === like);
  if (model !== undefined) return copyOf(draftOf(model));
  const rest = config.productGroups.find(({ isDefault }) => isDefault);
  return {
    name: '',
    subtitle: '',
    serviceCode: '',
    zoneId: zone || (config.zones[0]?.id ?? ''),
    productGroupId: group || (rest?.id ?? ''),
    rateType: 'flat',
    config: firstConfig(schemaOf(rateTypes, 'flat')),
    enabled: true,
    freeShippingThreshold: null,
    thresholdBasis: 'cart_total',
    delivery: null,
    phoneRequired: false,
    rules: [],
  };
}
