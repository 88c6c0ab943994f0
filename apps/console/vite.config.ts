import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { SERVICE_PREFIX } from '@gatehouse/contract'
import { INDEX, filesOf } from './build/filesOf.ts'
import { leaveOutUnused } from './build/leaveOutUnused.ts'
import { precompiledStyles } from './build/precompiledStyles.ts'
import { precompressed } from './build/precompressed.ts'
import { screens } from './src/screens.ts'

/** Server that the development server, `npx vite`, forwards calls to; by default the server's own default address. */
const server = process.env['GATEHOUSE_SERVER'] ?? 'http://127.0.0.1:8080'
const forwarded = [...Object.values(SERVICE_PREFIX), '/rtc/v1', '/files', '/openapi.json', '/docs']

/** What all of the console is made with. */
const FRAME = /node_modules\/(react|react-is|react-dom|scheduler|i18next|react-i18next|zustand|zod)\//
const LIST = new RegExp(
  // Without the texts of one language, and without parts that only forms use.
  String.raw`^(?!.*(locale/zh_|TextArea|calculateNodeHeight)).*node_modules/(react-router|@tanstack|clsx|@babel/runtime|` +
    String.raw`@ant-design/(cssinjs|cssinjs-utils|colors|fast-color|icons/es/(components|utils))|stylis|` +
    String.raw`antd/es/(_util|button|checkbox|config-provider|dropdown|empty|input/Input|locale|menu|pagination|popover|spin|style|table` +
    String.raw`|theme|tooltip|grid/hooks)|` +
    String.raw`@rc-component/(util|motion|resize-observer|portal|context|trigger|table|menu|pagination|dropdown|overflow|tooltip|input` +
    String.raw`|checkbox))/`,
)

/** What the pages that are opened first show besides a list. Forms use the question mark too, which must not bring them along. */
const SHOWN = /node_modules\/(antd\/es\/(alert|segmented)|@rc-component\/segmented)\/|\/QuestionCircleOutlined\.js$/
const PROGRESS = /node_modules\/(antd\/es|@rc-component)\/progress\//
/** Parts of text fields and choices, which only forms use. */
const INPUTS = new RegExp(
  String.raw`node_modules/(antd/es/(input|radio|select|tree|tree-select)|@rc-component/(select|tree|tree-select|virtual-list))/` +
    '|/kit/form/treeChoices',
)
const DRAWER = /node_modules\/(antd\/es|@rc-component)\/drawer\//
const ICONS = /node_modules\/@ant-design\/icons(-svg)?\/es\/(icons|asn)\//

const CONSOLE = 'main.tsx'
/**
 * Pages that are opened first and what comes with them, each with the file for the modules that it alone of them imports. Each page
 * itself stays a file of its own.
 */
const FIRST: Record<string, string> = {
  'shell/notices/alarms/Alarms.tsx': 'alarms',
  [screens.home.page]: 'home',
  [screens.staffCurrent.page]: 'records',
  [screens.staffList.page]: 'people',
  [screens.deviceList.page]: 'devices',
  [screens.passStrategy.page]: 'strategies',
}
/**
 * Parts of forms, each with the file for what comes with it. A module that a first page shares with them is not in the file of that page
 * alone.
 */
const PARTS: Record<string, string> = {
  'kit/form/FormDialog.tsx': 'forms',
  'kit/form/FormPage.tsx': 'forms',
  'kit/form/loaded.ts': 'forms',
  'features/approvals/Breaches.tsx': 'rules',
  'features/strategies/DoorFields.tsx': 'rules',
}
const source = join(import.meta.dirname, 'src')
const fileByPages = filesOf([CONSOLE, ...Object.keys(FIRST), ...Object.keys(PARTS)], source)
const isFirst = (id: string): boolean => Object.keys(FIRST).some((page) => id === join(source, page))
const firstOf = (pages: ReadonlySet<string>): string[] => Object.keys(FIRST).filter((page) => pages.has(page))
const partsOf = (pages: ReadonlySet<string>): string[] => Object.keys(PARTS).filter((part) => pages.has(part))
const isShared = (pages: ReadonlySet<string>): boolean => firstOf(pages).length > (partsOf(pages).length > 0 ? 0 : 1)

export default defineConfig({
  // Relative, so that the console works below any path a proxy gives it.
  base: './',
  plugins: [react(), precompiledStyles(), leaveOutUnused(), precompressed()],
  build: {
    outDir: 'dist',
    target: 'es2022',
    // Records the files of each page, for the test of what the first pages load.
    manifest: true,
    modulePreload: { polyfill: false },
    assetsInlineLimit: 2048,
    chunkSizeWarningLimit: 800,
    rolldownOptions: {
      input: { index: 'index.html' },
      treeshake: {
        // Parts of antd that are not marked as free of side effects: without this, all of each would be kept.
        // The same holds for the index of a feature: a module that imports one name from it gets the module of that name alone.
        moduleSideEffects: (id) => !/node_modules\/(@rc-component|@ant-design)\//.test(id) && !INDEX.test(id),
      },
      output: {
        // The first load requests thirty files instead of a hundred and fifty; everything else is split by page.
        codeSplitting: {
          groups: [
            { name: 'frame', test: FRAME, priority: 5 },
            { name: 'list', test: LIST, priority: 4 },
            { debugName: 'start', name: fileByPages((pages) => (pages.has(CONSOLE) ? 'start' : null)), priority: 3 },
            { debugName: 'pages', name: fileByPages((pages, id) => (isShared(pages) || SHOWN.test(id) ? 'pages' : null)), priority: 2 },
            // Modules used by nearly half of the 130 pages and dialogs.
            { name: 'fields', test: /node_modules/, minShareCount: 60, priority: 2 },
            { name: 'progress', test: PROGRESS, priority: 2 },
            { name: 'inputs', test: INPUTS, priority: 2 },
            { name: 'drawer', test: DRAWER, priority: 2 },
            { debugName: 'first pages', name: fileByPages((pages, id) => (isFirst(id) ? null : (FIRST[firstOf(pages)[0] ?? ''] ?? null))) },
            // Icons, a kilobyte each.
            { name: 'icons', test: ICONS, minShareCount: 8 },
            { debugName: 'parts', name: fileByPages((pages) => PARTS[partsOf(pages)[0] ?? ''] ?? null) },
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
