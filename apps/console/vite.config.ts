import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { SERVICE_PREFIX } from '@gatehouse/contract'
import { leaveOutUnused } from './build/leaveOutUnused.ts'
import { precompiledStyles } from './build/precompiledStyles.ts'
import { precompressed } from './build/precompressed.ts'

/** Where the development server, `npx vite`, forwards calls to; the server's own default address. */
const server = process.env['GATEHOUSE_SERVER'] ?? 'http://127.0.0.1:8080'
const forwarded = [...Object.values(SERVICE_PREFIX), '/rtc/v1', '/files', '/openapi.json', '/docs']

/** What the small pages outside the console need too. */
const FRAME = /node_modules\/(react|react-is|react-dom|scheduler|i18next|react-i18next|zustand|zod)\//
const CORE = /node_modules\/(react-router|@tanstack)\//
const LIST = new RegExp(
  // Not the texts of one language, nor what only forms use.
  String.raw`^(?!.*(locale/zh_|TextArea|calculateNodeHeight)).*node_modules/(@ant-design/(cssinjs|cssinjs-utils|colors|fast-color|icons/es/(components|utils))|stylis|` +
    String.raw`antd/es/(_util|button|checkbox|config-provider|dropdown|empty|input/Input|locale|menu|pagination|popover|spin|style|table|theme|tooltip|grid/hooks)|` +
    String.raw`@rc-component/(util|trigger|table|menu|pagination|dropdown|overflow|motion|portal|resize-observer|tooltip|input|context|checkbox))/`,
)
const BASE = /node_modules\/(@rc-component\/(util|motion|resize-observer|portal|context)|clsx|@babel\/runtime)\//

export default defineConfig({
  // Relative, so that the console works below any path a proxy gives it.
  base: './',
  plugins: [react(), precompiledStyles(), leaveOutUnused(), precompressed()],
  build: {
    outDir: 'dist',
    target: 'es2022',
    assetsInlineLimit: 2048,
    chunkSizeWarningLimit: 800,
    rolldownOptions: {
      input: { index: 'index.html', enrol: 'enrol.html' },
      treeshake: {
        // Parts of antd that do not say of themselves that importing them does nothing; unsaid, all of each would be kept.
        moduleSideEffects: (id) => !/node_modules\/(@rc-component|@ant-design)\//.test(id),
      },
      output: {
        // What every list page needs comes in four files instead of fifty; the rest splits by page.
        codeSplitting: {
          groups: [
            { name: 'frame', test: FRAME, priority: 4 },
            { name: 'core', test: CORE, priority: 3 },
            { name: 'base', test: BASE, priority: 2 },
            { name: 'list', test: LIST },
          ],
        },
      },
    },
  },
  server: {
    port: 5173,
    proxy: Object.fromEntries(forwarded.map((prefix) => [prefix, { target: server, ws: true, changeOrigin: false }])),
  },
})
