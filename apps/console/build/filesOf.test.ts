import { expect, test } from 'vitest'
import { filesOf } from './filesOf.ts'

const MODULES: Record<string, { importedIds: string[]; code?: string }> = {
  '/src/main.tsx': {
    importedIds: ['/src/kit/list.ts', '/node_modules/antd/es/index.js'],
    code: 'import{BellOutlined,LockFilled as Lock}from"@ant-design/icons";',
  },
  '/src/people.tsx': {
    importedIds: ['/src/features/approvals/index.ts'],
    code: 'import{PermitDialog}from"./features/approvals/index.ts";',
  },
  '/src/features/approvals/index.ts': {
    importedIds: ['/src/features/approvals/lazy.ts', '/src/features/approvals/Breaches.tsx'],
    code: 'export{PermitDialog,one as PermitField}from"./lazy.ts";export{BreachLine}from"./Breaches.tsx";',
  },
  '/src/phone.tsx': { importedIds: ['/src/kit/request.ts'] },
  '/src/kit/list.ts': { importedIds: ['/src/kit/request.ts', '/src/main.tsx'] },
  '/node_modules/antd/es/index.js': { importedIds: ['/node_modules/antd/es/form.js'] },
}
const graph = { getModuleInfo: (id: string) => ({ code: '', importedIds: [], ...MODULES[id] }) }
const pagesOf = (id: string): string | null =>
  filesOf(['main.tsx', 'phone.tsx', 'people.tsx'], '/src')((pages) => [...pages].join(' '))(id, graph)

test('a module belongs to the pages that import it, itself or through others', () => {
  expect(pagesOf('/src/kit/request.ts')).toBe('main.tsx phone.tsx')
  expect(pagesOf('/src/kit/list.ts')).toBe('main.tsx')
  expect(pagesOf('/src/kit/chart.ts')).toBe('')
})

test('of the index of a feature, a page imports only what stands behind the names that it takes', () => {
  expect(pagesOf('/src/features/approvals/lazy.ts')).toBe('people.tsx')
  expect(pagesOf('/src/features/approvals/Breaches.tsx')).toBe('')
})

test('of libraries only the icons that are named belong to a page', () => {
  expect(pagesOf('/node_modules/@ant-design/icons/es/icons/BellOutlined.js')).toBe('main.tsx')
  expect(pagesOf('/node_modules/@ant-design/icons-svg/es/asn/LockFilled.js')).toBe('main.tsx')
  expect(pagesOf('/node_modules/@ant-design/icons/es/icons/KeyOutlined.js')).toBe('')
  expect(pagesOf('/node_modules/antd/es/index.js')).toBe('')
})
