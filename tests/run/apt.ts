/** What tests need of the machine beyond npm, on a Debian where we may install it. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/** Installs a package of Debian. @returns false where that is not possible, or not ours to do */
export function installPackage(name: string): boolean {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return false
  const apt = (...words: string[]) =>
    spawnSync('apt-get', words, { stdio: 'inherit', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } }).status === 0
  return apt('update') && apt('install', '--yes', '--no-install-recommends', name)
}
