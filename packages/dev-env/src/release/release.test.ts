import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { release, ReleaseRefused, type ReleaseOptions } from './release.ts'

const CHANGELOG = '# Changelog\n\n## [Unreleased]\n\n### Added\n\n- A door.\n\n## [0.1.0] - 2026-11-23\n\n- A wall.\n'
const KEPT = 'tests/releases/0.2.0/database.sql'
const json = (value: object): string => `${JSON.stringify(value, null, 2)}\n`

const BILL = 'sbom.cdx.json'
const ACCEPTED = 'packages/dev-env/src/release/accepted-findings.json'

/** What a release changes. */
const FILES: Record<string, string> = {
  'CHANGELOG.md': CHANGELOG,
  'package.json': json({ name: 'gatehouse', version: '0.1.0' }),
  'apps/server/package.json': json({ name: '@gatehouse/server', version: '0.1.0', dependencies: { '@gatehouse/contract': '0.1.0' } }),
  'apps/terminal/src/terminal.ts': "export const TERMINAL_VERSION = '0.1.0'\n",
  'package-lock.json': json({
    name: 'gatehouse',
    version: '0.1.0',
    packages: { '': { version: '0.1.0' }, 'apps/server': { version: '0.1.0', dependencies: { '@gatehouse/contract': '0.1.0' } } },
  }),
}

/** A repository with one commit, on the branch `main`. */
function repository() {
  const root = mkdtempSync(join(tmpdir(), 'gatehouse-repository-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const git = (...words: string[]): string => {
    const { status, stdout, stderr } = spawnSync('git', words, { cwd: root, encoding: 'utf8' })
    if (status !== 0) throw new Error(stderr)
    return stdout.trim()
  }
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  const commit = (): void => {
    git('add', '--all')
    git('commit', '--message', 'A change')
  }
  git('init', '--initial-branch', 'main')
  const settings = { 'user.name': 'Somebody', 'user.email': 'somebody@example.org', 'commit.gpgsign': 'false', 'tag.gpgsign': 'false' }
  for (const [name, value] of Object.entries(settings)) git('config', name, value)
  for (const [path, text] of Object.entries({ ...FILES, [ACCEPTED]: '[]' })) write(path, text)
  commit()

  const said: string[] = []
  return {
    git,
    write,
    commit,
    said,
    read: (path: string) => readFileSync(join(root, path), 'utf8'),
    release: (version: string, change: Partial<ReleaseOptions> = {}) =>
      release({
        root,
        version,
        date: '2026-12-01',
        keepInstallation: async () => write(KEPT, 'select 1;\n'),
        audit: () => [],
        bill: () => json({ metadata: { component: { 'bom-ref': 'gatehouse@0.1.0' } }, components: [] }),
        say: (line) => said.push(line),
        ...change,
      }),
  }
}

test('a release is one commit with a tag that holds version, changes and the kept installation', async () => {
  const { git, read, said, release: releaseOf } = repository()
  await releaseOf('0.2.0')
  expect(git('status', '--porcelain')).toBe('')
  expect(git('log', '--format=%s')).toBe('Release 0.2.0\nA change')
  expect(git('rev-parse', 'v0.2.0^{commit}')).toBe(git('rev-parse', 'HEAD'))
  expect(git('cat-file', '-t', 'v0.2.0')).toBe('tag')
  expect(git('show', '--name-only', '--format=', 'HEAD').split('\n').toSorted()).toEqual([...Object.keys(FILES), BILL, KEPT].toSorted())
  for (const path of Object.keys(FILES)) expect(read(path).replace('## [0.1.0]', ''), path).not.toContain('0.1.0')
  expect(JSON.parse(read('apps/server/package.json'))).toMatchObject({ version: '0.2.0', dependencies: { '@gatehouse/contract': '0.2.0' } })
  expect(JSON.parse(read(BILL))).toMatchObject({ metadata: { component: { 'bom-ref': 'gatehouse@0.2.0', version: '0.2.0' } } })
  expect(read('CHANGELOG.md')).toContain('## [Unreleased]\n\n## [0.2.0] - 2026-12-01\n\n### Added\n\n- A door.\n\n## [0.1.0]')
  expect(said.join('\n')).toContain('git push origin main v0.2.0')
})

test('the next release needs changes of its own', async () => {
  const { git, release: releaseOf } = repository()
  await releaseOf('0.2.0')
  await expect(releaseOf('0.3.0')).rejects.toThrow('"Unreleased" of CHANGELOG.md is empty')
  expect(git('tag', '--list')).toBe('v0.2.0')
})

test.each([
  ['0.1.0', 'not above the current version, 0.1.0'],
  ['0.0.9', 'not above'],
  ['v0.2.0', 'three numbers'],
  ['', 'three numbers'],
])('version "%s" is refused: %s', async (version, reason) => {
  const { git, release: releaseOf } = repository()
  const refusal = releaseOf(version, { keepInstallation: () => Promise.reject(new Error('nothing may be kept')) })
  await expect(refusal).rejects.toThrow(ReleaseRefused)
  await expect(refusal).rejects.toThrow(reason)
  expect(git('status', '--porcelain')).toBe('')
  expect(git('tag', '--list')).toBe('')
})

test.each([
  ['a changed file', 'package.json', `${FILES['package.json']}\n`],
  ['a new file', 'notes.txt', 'Buy milk\n'],
])('%s is refused, and stays as it is', async (_, path, text) => {
  const { git, write, read, release: releaseOf } = repository()
  write(path, text)
  await expect(releaseOf('0.2.0')).rejects.toThrow(new ReleaseRefused('The working tree has changes: commit them or take them back first.'))
  expect(read(path)).toBe(text)
  expect(git('log', '--format=%s')).toBe('A change')
})

test('a tag that exists is refused', async () => {
  const { git, release: releaseOf } = repository()
  git('tag', 'v0.2.0')
  await expect(releaseOf('0.2.0')).rejects.toThrow(new ReleaseRefused('The tag v0.2.0 exists.'))
})

test('without an installation to keep nothing is committed or changed', async () => {
  const { git, release: releaseOf } = repository()
  await expect(releaseOf('0.2.0', { keepInstallation: () => Promise.reject(new Error('no pg_dump')) })).rejects.toThrow('no pg_dump')
  expect(git('status', '--porcelain')).toBe('')
  expect(git('log', '--format=%s')).toBe('A change')
  expect(git('tag', '--list')).toBe('')
})

const FINDING = { id: 'GHSA-aaaa-bbbb-cccc', package: 'left', title: 'Anybody may read files' }

test('a package with a known weakness is refused, until somebody has said why it does no harm', async () => {
  const { git, write, commit, release: releaseOf } = repository()
  const audited = () => releaseOf('0.2.0', { audit: () => [FINDING] })
  await expect(audited()).rejects.toThrow('GHSA-aaaa-bbbb-cccc in left: Anybody may read files')
  expect(git('status', '--porcelain')).toBe('')
  write(ACCEPTED, json([{ id: FINDING.id, reason: 'It is not called.', until: '2026-12-31' }]))
  commit()
  await audited()
  expect(git('tag', '--list')).toBe('v0.2.0')
})

test('a registry that cannot be asked is said, and hinders nothing', async () => {
  const { git, said, release: releaseOf } = repository()
  await releaseOf('0.2.0', { audit: () => null })
  expect(said.join('\n')).toContain('could not be asked for known weaknesses')
  expect(git('tag', '--list')).toBe('v0.2.0')
})
