/** `node apps/terminal/src/upgrade/setup.ts FOLDER PACKAGE.tar`: makes an installation that upgrades itself. */
import { resolve } from 'node:path'
import { createInstallation } from './installation.ts'

const [folder, path] = process.argv.slice(2)
if (folder === undefined || path === undefined) {
  process.stderr.write('Usage: node setup.ts FOLDER PACKAGE.tar\n')
  process.exit(1)
}
await createInstallation(resolve(folder), resolve(path))
process.stdout.write(`Start it with: node ${resolve(folder)}/launcher.ts --server http://HOST:8080 --code CODE --secret SECRET\n`)
