/** What npm reports about the packages that are installed without development dependencies. */
import { spawnSync } from 'node:child_process'
import { findingsOf, type Finding } from './supply-chain.ts'

/** Most bytes of a bill of materials. */
const OUTPUT_MAX = 64 * 1_048_576

const npm = (root: string, words: readonly string[]) => spawnSync('npm', words, { cwd: root, encoding: 'utf8', maxBuffer: OUTPUT_MAX })

/** Ask the registry for known weaknesses; null where it cannot be asked. */
export function auditPackages(root: string): Finding[] | null {
  const { error, stdout } = npm(root, ['audit', '--omit=dev', '--audit-level=high', '--json'])
  return error === undefined ? findingsOf(stdout) : null
}

/** Return the bill of materials in CycloneDX, from the lock file alone. Throw with npm's own words. */
export function billOfPackages(root: string): string {
  const { error, status, stdout, stderr } = npm(root, ['sbom', '--sbom-format=cyclonedx', '--package-lock-only', '--omit=dev'])
  if (error !== undefined || status !== 0) throw new Error(`npm wrote no bill of materials: ${stderr || String(error)}`)
  return stdout
}
