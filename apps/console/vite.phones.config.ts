/**
 * The pages that links open on phones: a build of their own, in which Preact takes the place of React. A phone on a slow network loads half
 * as much, and a page without a session shares no file with the console. `npx vite` serves them with React, like the console.
 */
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { precompressed } from './build/precompressed.ts'

export default defineConfig({
  base: './',
  plugins: [react(), precompressed()],
  resolve: {
    alias: [
      { find: /^react$/, replacement: 'preact/compat' },
      { find: /^react-dom\/client$/, replacement: 'preact/compat/client' },
      { find: /^react\/jsx-runtime$/, replacement: 'preact/jsx-runtime' },
    ],
  },
  build: {
    outDir: 'dist',
    // The console is there already.
    emptyOutDir: false,
    target: 'es2022',
    modulePreload: { polyfill: false },
    rolldownOptions: { input: { enrol: 'enrol.html', visit: 'visit.html' } },
  },
})
