/** `npm run release -- VERSION`: creates a release on this machine. */
import { auditPackages, billOfPackages } from '@gatehouse/dev-env/release/npm'
import { release, ReleaseRefused } from '@gatehouse/dev-env/release/release'
import { ROOT } from '../run/program.ts'
import { keepRelease } from './keep.ts'

const [version = '', ...others] = process.argv.slice(2)
try {
  if (others.length > 0) throw new ReleaseRefused(`A release takes a version alone, not "${others.join(' ')}" beside it.`)
  await release({
    root: ROOT,
    version,
    date: new Date().toISOString().slice(0, 10),
    keepInstallation: keepRelease,
    audit: () => auditPackages(ROOT),
    bill: () => billOfPackages(ROOT),
    say: (line) => process.stdout.write(`${line}\n`),
  })
} catch (error) {
  process.stderr.write(`${error instanceof ReleaseRefused ? error.message : String(error instanceof Error ? error.stack : error)}\n`)
  process.exitCode = 1
}
