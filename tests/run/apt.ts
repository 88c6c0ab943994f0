/** Installs what tests need of the machine beyond npm, on a Debian where we have the rights to. */
import { existsSync } from 'node:fs'
import type { Output } from './program.ts'

/** Install a package of Debian. @returns false where that is not possible, or not permitted */
export async function installPackage(name: string, output: Output): Promise<boolean> {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return false
  const apt = async (...words: string[]) => (await output.run(['apt-get', ...words], { DEBIAN_FRONTEND: 'noninteractive' })) === 0
  return (await apt('update')) && (await apt('install', '--yes', '--no-install-recommends', name))
}
