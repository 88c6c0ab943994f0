/** `npm run release`: writes a version into every file, dates its changes, and makes a commit and a tag. */
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isUnreleasedEmpty, withRelease } from './changelog.ts'
import { TERMINAL_SOURCE, versionOf, withLockVersion, withManifestVersion, withTerminalVersion, workspacesOf } from './manifests.ts'
import { billOf, openFindings, readAccepted, type Finding } from './supply-chain.ts'
import { isAbove, isVersion } from './version.ts'

const CHANGELOG = 'CHANGELOG.md'
const MANIFEST = 'package.json'
const LOCK = 'package-lock.json'
const BILL = 'sbom.cdx.json'
const ACCEPTED = 'packages/dev-env/src/release/accepted-findings.json'

/** The release cannot be made; nothing was changed. The message says why. */
export class ReleaseRefused extends Error {}

export interface ReleaseOptions {
  /** Root of the repository. */
  root: string
  version: string
  /** As `2026-11-23`. */
  date: string
  /** Store the installation that later versions are tested to upgrade. */
  keepInstallation(version: string): Promise<void>
  /** Return what the registry knows of the packages; null where it cannot be asked. */
  audit(): Finding[] | null
  /** Return the bill of materials as npm writes it. */
  bill(): string
  say(line: string): void
}

/** Make a release on this machine; nothing is pushed. Throw ReleaseRefused before anything is changed. */
export async function release({ root, version, date, keepInstallation, audit, bill, say }: ReleaseOptions): Promise<void> {
  const git = gitIn(root)
  const read = (path: string): string => readFileSync(join(root, path), 'utf8')
  const tag = `v${version}`
  const current = versionOf(read(MANIFEST))

  if (!isVersion(version)) throw new ReleaseRefused('Name the version as three numbers: npm run release -- 1.4.0')
  try {
    git('var', 'GIT_COMMITTER_IDENT')
  } catch {
    throw new ReleaseRefused('git does not know who commits: set user.name and user.email first.')
  }
  if (git('status', '--porcelain') !== '') throw new ReleaseRefused('The working tree has changes: commit them or take them back first.')
  if (!isAbove(version, current)) throw new ReleaseRefused(`${version} is not above the current version, ${current}.`)
  if (git('tag', '--list', tag) !== '') throw new ReleaseRefused(`The tag ${tag} exists.`)
  if (isUnreleasedEmpty(read(CHANGELOG))) throw new ReleaseRefused(`The section "Unreleased" of ${CHANGELOG} is empty.`)

  const findings = audit()
  if (findings === null) say('The registry could not be asked for known weaknesses: run npm audit --omit=dev before you publish.')
  const open = openFindings(findings ?? [], readAccepted(read(ACCEPTED)), date)
  if (open.length > 0) {
    const list = open.map(({ id, package: name, title }) => `  ${id} in ${name}: ${title}`).join('\n')
    throw new ReleaseRefused(
      `The packages have known weaknesses. Upgrade them, or say in ${ACCEPTED} why they do no harm and until when:\n${list}`,
    )
  }
  const materials = billOf(bill(), version)

  say('Keeping an installation with fixtures for the upgrade test. This takes a minute.')
  await keepInstallation(version)

  const lock = read(LOCK)
  const changed = new Map([
    [CHANGELOG, withRelease(read(CHANGELOG), version, date)],
    [BILL, materials],
    [LOCK, withLockVersion(lock, version)],
    [TERMINAL_SOURCE, withTerminalVersion(read(TERMINAL_SOURCE), version)],
  ])
  for (const folder of workspacesOf(lock)) {
    const path = join(folder, MANIFEST)
    changed.set(path, withManifestVersion(read(path), version))
  }
  for (const [path, text] of changed) writeFileSync(join(root, path), text)

  git('add', '--all')
  git('commit', '--message', `Release ${version}`)
  git('tag', '--annotate', tag, '--message', `Gatehouse ${version}`)

  say(`${version} is committed and tagged ${tag}, on this machine only. Next:`)
  say('  1. .ci/run, which upgrades the kept installations too. If it fails:')
  say(`     git tag --delete ${tag} && git reset --hard HEAD~1`)
  say(`  2. git push origin ${git('rev-parse', '--abbrev-ref', 'HEAD')} ${tag}`)
  say(`  3. Publish the release ${tag} with its section of ${CHANGELOG}.`)
}

/** Return a function that runs git in a folder and returns what it prints. It throws with git's own words. */
function gitIn(root: string): (...words: string[]) => string {
  return (...words) => {
    const { error, status, stdout, stderr } = spawnSync('git', words, { cwd: root, encoding: 'utf8' })
    if (error !== undefined) throw new Error('git could not be run', { cause: error })
    if (status !== 0) throw new Error(`git ${words[0]} failed: ${stderr.trim() || stdout.trim()}`)
    return stdout.trim()
  }
}
