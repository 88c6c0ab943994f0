/** `npm run reset-second-factor`. */
import { parseArgs } from 'node:util'
import { readConfig } from '../config.ts'
import { resetSecondFactor } from './reset.ts'

const USAGE = `Usage: npm run reset-second-factor -- ACCOUNT

Removes the second factor of an account of the installation in DATA_DIR (and DATABASE_URL), for somebody who lost both phone and
recovery codes, where nobody else can do it in the console. The server may go on running. The sessions of the account end within
seconds, its password alone is enough to log in until it is set up again, and the operation log says so.`

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { help: { type: 'boolean', short: 'h', default: false } },
  })
  const [account] = positionals
  if (values.help) process.stdout.write(`${USAGE}\n`)
  else if (account === undefined || positionals.length > 1) throw new Error(USAGE)
  else {
    const { ended } = await resetSecondFactor({ config: readConfig(), account })
    process.stdout.write(`The account ${account} has no second factor any more; ${ended} of its sessions ended.\n`)
  }
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
