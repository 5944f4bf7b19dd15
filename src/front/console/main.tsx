/** Starts the console in the page. */
import { render } from 'preact';
import { App } from './app.tsx';
import { AppContext, AppState } from './app-state.ts';

const root = document.getElementById('console');
if (root === null) throw new Error('the page has no place for the console');
render(
  <AppContext.Provider value={new AppState()}>
    <App />
  </AppContext.Provider>,
  root,
);
