import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { TERMINAL_SOURCE, versionOf, withLockVersion, withManifestVersion, withTerminalVersion, workspacesOf } from './manifests.ts'

const ROOT = join(import.meta.dirname, '../../../..')
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')
const text = (value: object): string => `${JSON.stringify(value, null, 2)}\n`

test('a package takes the version for itself and the workspaces it uses, and leaves the others', () => {
  const manifest = {
    name: '@gatehouse/server',
    version: '0.1.0',
    dependencies: { '@gatehouse/contract': '0.1.0', 'left-alone': '0.1.0' },
    devDependencies: { '@gatehouse/dev-env': '0.1.0' },
  }
  expect(JSON.parse(withManifestVersion(text(manifest), '0.2.0'))).toEqual({
    name: '@gatehouse/server',
    version: '0.2.0',
    dependencies: { '@gatehouse/contract': '0.2.0', 'left-alone': '0.1.0' },
    devDependencies: { '@gatehouse/dev-env': '0.2.0' },
  })
})

test('a lock takes it for the product and its workspaces', () => {
  const lock = {
    name: 'gatehouse',
    version: '0.1.0',
    packages: {
      '': { version: '0.1.0' },
      'apps/server': { version: '0.1.0', dependencies: { '@gatehouse/contract': '0.1.0' } },
      'node_modules/left-alone': { version: '0.1.0' },
      'apps/server/node_modules/left-alone': { version: '0.1.0' },
    },
  }
  expect(workspacesOf(text(lock))).toEqual(['', 'apps/server'])
  expect(JSON.parse(withLockVersion(text(lock), '0.2.0'))).toMatchObject({
    version: '0.2.0',
    packages: {
      '': { version: '0.2.0' },
      'apps/server': { version: '0.2.0', dependencies: { '@gatehouse/contract': '0.2.0' } },
      'node_modules/left-alone': { version: '0.1.0' },
      'apps/server/node_modules/left-alone': { version: '0.1.0' },
    },
  })
})

test('a terminal without a version is a fault', () => {
  expect(() => withTerminalVersion('export {}\n', '0.2.0')).toThrow('names no version')
})

describe('in this repository', () => {
  const version = versionOf(read('package.json'))
  const lock = read('package-lock.json')
  const manifests = workspacesOf(lock).map((folder) => join(folder, 'package.json'))

  test('every file names the same version, and is written as it is', () => {
    expect(manifests).toContain(join('apps', 'server', 'package.json'))
    for (const path of manifests) expect(withManifestVersion(read(path), version), path).toBe(read(path))
    expect(withLockVersion(lock, version)).toBe(lock)
    expect(withTerminalVersion(read(TERMINAL_SOURCE), version)).toBe(read(TERMINAL_SOURCE))
  })

  test('the terminal takes another one', () => {
    expect(withTerminalVersion(read(TERMINAL_SOURCE), '99.0.0')).toContain("TERMINAL_VERSION = '99.0.0'")
  })
})
