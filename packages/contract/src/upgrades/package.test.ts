import { expect, test } from 'vitest'
import { packageManifest, packagePath, signatureOf, uncoveredIn } from './package.ts'
import { TAR_BLOCK, tarEntries, tarHeader } from './tar.ts'

const DIGEST = 'a'.repeat(64)

test('a name of a package is a path below its folder, or none', () => {
  expect(['a', './a', 'a//b', 'a/./b/', './'].map(packagePath)).toEqual(['a', 'a', 'a/b', 'a/b', ''])
  for (const name of ['/a', '..', 'a/../b', '../a', 'a\\b', 'c:/a', 'a\0']) expect(packagePath(name), name).toBeNull()
})

test('a manifest names every file with its digest, and starts one of them', () => {
  const manifest = { name: 'gatehouse-terminal', kind: 'client', versionNumber: '8', entry: 'main.mjs', files: { 'main.mjs': DIGEST } }
  const isOne = (change: object): boolean => packageManifest.safeParse({ ...manifest, ...change }).success
  expect(isOne({})).toBe(true)
  expect(isOne({ kind: 'algorithm', entry: undefined, files: {} })).toBe(true)
  for (const change of [
    { files: undefined },
    { entry: undefined },
    { entry: 'other.mjs' },
    { entry: 'constructor' },
    { files: { 'main.mjs': 'short' } },
    { files: { 'main.mjs': DIGEST, '../main.mjs': DIGEST } },
    { files: { 'main.mjs': DIGEST, './main.mjs': DIGEST } },
  ])
    expect(isOne(change), JSON.stringify(change)).toBe(false)
})

test('files of a package are those its manifest names, each once', () => {
  const manifest = { files: { a: DIGEST, 'b/c': DIGEST } }
  expect(uncoveredIn(manifest, ['b/c', 'a'])).toBeNull()
  expect(uncoveredIn(manifest, ['a'])).toEqual({ fault: 'missing', name: 'b/c' })
  expect(uncoveredIn(manifest, ['a', 'b/c', 'd'])).toEqual({ fault: 'unlisted', name: 'd' })
  expect(uncoveredIn(manifest, ['a', 'toString', 'b/c'])).toEqual({ fault: 'unlisted', name: 'toString' })
  expect(uncoveredIn(manifest, ['a', 'a', 'b/c'])).toEqual({ fault: 'twice', name: 'a' })
})

test('a signature is 64 bytes in base64', () => {
  const base64 = btoa('s'.repeat(64))
  expect(signatureOf(`${base64}\n`)).toEqual(new Uint8Array(64).fill('s'.charCodeAt(0)))
  for (const text of ['', 'signed', btoa('s'.repeat(63)), btoa('s'.repeat(65)), `${base64.slice(0, -2)}`, base64.replace('c', '-')])
    expect(signatureOf(text), text).toBeNull()
})

test('nobody is kept busy by a tar of nothing but names', async () => {
  const header = tarHeader('a', 0)
  const size = 30_000 * TAR_BLOCK
  let read = 0
  const gone = async () => {
    for await (const { name } of tarEntries(async () => (read++, header), size)) expect(name).toBe('a')
  }
  await expect(gone()).rejects.toMatchObject({ kind: 'tooMany' })
  expect(read).toBeLessThan(25_000)
})
