import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { isWrite, type Call } from '../call.ts'
import { calls, callsByArea } from '../calls.ts'
import { LANGUAGES } from '../envelope.ts'
import { PERMISSION_CODES } from '../permissions.ts'
import { LOG_MODULES, logModuleOf } from './modules.ts'

const nameOf = ({ method, url }: Call): string => `${method} ${url}`

test.each(LANGUAGES)('what each changing call has done is worded in %s, and nothing else', (language) => {
  for (const [area, groups] of Object.entries(callsByArea)) {
    const file = new URL(`../i18n/${language}/operations/${area}.json`, import.meta.url)
    const { write = {} } = (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}) as { write?: Record<string, string> }
    const logged = groups
      .flatMap((group): Call[] => Object.values(group))
      .filter((one) => isWrite(one) && one.permission !== 'device')
      .map(nameOf)
    expect(Object.keys(write).toSorted(), area).toEqual([...new Set(logged)].toSorted())
  }
})

test('every call is filed under a module', () => {
  for (const one of calls) expect(LOG_MODULES, nameOf(one)).toContain(logModuleOf(one))
  for (const permission of PERMISSION_CODES) expect(LOG_MODULES.slice(2, -1), permission).toContain(logModuleOf({ permission }))
  expect(logModuleOf({ permission: 'self' })).toBe('account')
  expect(logModuleOf({ permission: 'installation' })).toBe('installation')
})
