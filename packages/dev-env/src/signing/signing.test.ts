import { createPublicKey, verify } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { packageManifest, signatureOf } from '@gatehouse/contract/upgrades/package'
import { tarEntries } from '@gatehouse/contract/upgrades/tar'
import { makePackage } from './package.ts'
import { makeSigningKey, SigningRefused, signingKey } from './signing-key.ts'

function scratch(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'signing-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

test('a key is made once, outside of the repository, and only its owner reads the private one', () => {
  const [folder, tree] = [scratch(), scratch()]
  const { privateFile, publicFile } = makeSigningKey(join(folder, 'upgrade.pem'), tree)
  expect(statSync(privateFile).mode & 0o777).toBe(0o600)
  expect(readFileSync(publicFile, 'utf8')).toMatch(/^-----BEGIN PUBLIC KEY-----/)
  expect(signingKey(privateFile).type).toBe('private')
  expect(() => makeSigningKey(privateFile, tree)).toThrow('exists')
  expect(() => signingKey(publicFile)).toThrow(SigningRefused)
  mkdirSync(join(tree, 'keys'))
  for (const inside of ['key.pem', 'keys/key.pem', 'keys/../key.pem'])
    expect(() => makeSigningKey(join(tree, inside), tree)).toThrow('lies in the repository')
  symlinkSync(join(tree, 'keys'), join(folder, 'elsewhere'))
  expect(() => makeSigningKey(join(folder, 'elsewhere/key.pem'), tree)).toThrow('lies in the repository')
})

test('a package names every file of its folder, and is signed', async () => {
  const folder = scratch()
  const source = join(folder, 'source')
  mkdirSync(join(source, 'models'), { recursive: true })
  const manifest = { name: 'gatehouse-terminal', kind: 'client', versionNumber: '8', entry: 'main.mjs', files: { gone: '0' } }
  writeFileSync(join(source, 'manifest.json'), JSON.stringify(manifest))
  writeFileSync(join(source, 'manifest.sig'), 'of another one')
  writeFileSync(join(source, 'main.mjs'), 'runs')
  writeFileSync(join(source, 'models/one.bin'), Buffer.alloc(700))
  const { privateFile, publicFile } = makeSigningKey(join(folder, 'key.pem'), scratch())
  const target = join(folder, 'terminal-8.tar')
  const { md5 } = await makePackage({ folder: source, target, key: signingKey(privateFile) })
  expect(md5).toMatch(/^[0-9a-f]{32}$/)

  const tar = readFileSync(target)
  const contents = new Map<string, Buffer>()
  for await (const { name, at, size } of tarEntries(async (from, length) => tar.subarray(from, from + length), tar.length))
    contents.set(name, tar.subarray(at, at + size))
  expect([...contents.keys()]).toEqual(['manifest.json', 'manifest.sig', 'main.mjs', 'models/one.bin'])
  const said = packageManifest.parse(JSON.parse(contents.get('manifest.json')!.toString()))
  expect(Object.keys(said.files)).toEqual(['main.mjs', 'models/one.bin'])
  const signature = signatureOf(contents.get('manifest.sig')!.toString())!
  expect(verify(null, contents.get('manifest.json')!, createPublicKey(readFileSync(publicFile)), signature)).toBe(true)
  await expect(makePackage({ folder: source, target, key: signingKey(privateFile) })).rejects.toThrow('cannot be written')
})

test('a folder that no terminal would take makes no package', async () => {
  const folder = scratch()
  const { privateFile } = makeSigningKey(join(folder, 'key.pem'), scratch())
  const key = signingKey(privateFile)
  const source = join(folder, 'source')
  const target = join(folder, 'out.tar')
  const made = makePackage({ folder: source, target, key })
  await expect(made).rejects.toThrow('no folder')
  mkdirSync(source)
  await expect(makePackage({ folder: source, target, key })).rejects.toThrow('cannot be read')
  writeFileSync(
    join(source, 'manifest.json'),
    JSON.stringify({ name: 'gatehouse-terminal', kind: 'client', versionNumber: '8', entry: 'main.mjs' }),
  )
  await expect(makePackage({ folder: source, target, key })).rejects.toThrow('wrong at entry')
  writeFileSync(join(source, 'main.mjs'), '')
  symlinkSync('/etc/passwd', join(source, 'link'))
  await expect(makePackage({ folder: source, target, key })).rejects.toThrow('no links')
})
