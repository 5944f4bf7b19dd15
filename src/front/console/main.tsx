/** Starts the console in the page. */
import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { setNonce } from 'get-nonce';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { AppContext, AppState } from './app-state.ts';
import { theme, themeVariables } from './theme.ts';

const root = document.getElementById('console');
if (root === null) throw new Error('the page has no place for the console');
/** The policy of the page takes style elements with this nonce only. */
const nonce = document.querySelector<HTMLElement>('[nonce]')?.nonce ?? '';
setNonce(nonce);
createRoot(root).render(
  <MantineProvider
    theme={theme}
    cssVariablesResolver={themeVariables}
    defaultColorScheme="auto"
    getStyleNonce={() => nonce}
  >
    <Notifications position="top-center" />
    <AppContext.Provider value={new AppState()}>
      <App />
    </AppContext.Provider>
  </MantineProvider>,
);
