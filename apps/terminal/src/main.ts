/** `npm run terminal`: one terminal or capture camera, which runs until Ctrl-C. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { engineOf, FacePool } from '@gatehouse/face-engine'
import { modelFolder } from '@gatehouse/face-engine/model-folder'
import { ModelSetInvalid } from '@gatehouse/face-engine/onnx/model-set'
import { hasPassword } from './camera/address.ts'
import { startCaptureCamera, type CaptureCamera } from './capture/camera.ts'
import { machineClock } from './console/time.ts'
import { chosenOutput } from './door/output-choice.ts'
import { readOptions } from './options.ts'
import { namedReader } from './readers/serial.ts'
import { readSecretFile } from './settings/secret-file.ts'
import { CameraUnusable, startTerminal, StoreUnusable, TERMINAL_VERSION, type Terminal } from './terminal.ts'
import { installPackage } from './upgrade/install.ts'
import { openInstallation } from './upgrade/installation.ts'
import { supervisedBy } from './upgrade/supervised.ts'
import { upgradeKeysOf } from './upgrade/trust.ts'

/** Exit code that asks a supervisor to restart the program (EX_TEMPFAIL). */
const RESTART = 75

/** Variable with the secret, in place of a file. */
const SECRET = 'GATEHOUSE_SECRET'

const USAGE = `Usage: npm run terminal -- --server https://HOST:8080 --code CODE --secret-file FILE
  --role ROLE      terminal, or camera: faces that pass are captured and sent to the server, and there is no door
                   (default: variable ROLE, else terminal)
  --server URL     address of the server. What answers there proves that it knows the secret, and the secret is not sent to it;
                   with http:// the rest can be read on the way, until the server asks for https
  --secret-file FILE          the secret; or in the variable ${SECRET}, or after --secret where everybody on this machine can read it
  --data DIR       folder for what the terminal keeps (default: data/terminal-CODE)
  --data-key-file FILE        where the key lies that opens what the folder holds of people, such as on another medium
                   (default: key in the folder); a key that lies in the folder is moved there
  --port PORT      port of its screen and of POST /frame (default: 8081)
  --host ADDRESS   address it listens on (default: 127.0.0.1)
  --ca FILE        authority to trust at an MQTT broker for whose key the server does not vouch, in PEM; at such a server: variable
                   NODE_EXTRA_CA_CERTS
  --cert FILE, --key FILE     what to show a broker that asks for a certificate, in PEM
  --models DIR     folder of a set of face models (default: MODEL_DIR, else ./models where npm run models put one)
  --allow-host NAME           a name or an address this machine is reached by, besides its own; again for each. Requests under any
                   other name are refused
  --allow-frames   take pictures from other machines that have the key, and show them who passes
  --frames-key-file FILE      that key (default: frames-key in the folder of --data, made at the first start)
  --allow-console  open its console at /console/ to other machines too; nobody gets in without its password
  --camera ADDRESS  a camera to look through in place of the browser's, such as rtsp://user:password@192.168.1.40:554/stream;
                   rtsps, http and https as well. Needs the program ffmpeg (Debian: apt-get install ffmpeg)
  --folder DIR     of the role camera: a folder of pictures to take in the order of their names, in place of a camera. What was taken is
                   moved to the folder taken in it
  --set-clock      let the console set this machine's clock, by the program date
  --reader KIND:FILE  a reader on a serial line, such as wiegand:/dev/ttyUSB0; again for each. Kinds: wiegand, idcard, handprint.
                   Others hand in what they read at POST /input/card, id, password, qr, handprint, sensor
  --supervised     where a restart is due, end with exit code ${RESTART} instead of starting again: somebody else does that

The door
  --door OUTPUT    what moves the lock (default: simulated)
                     simulated                     a door on the screen only
                     http://HOST/PATH              a relay that is called there; https as well
                     command:PROGRAM ARGUMENT ...  a program that is run, without a shell
                   {action} in address, body or arguments stands for the word of the movement
  --door-words OPEN,CLOSE     those words (default: open,close)
  --door-method METHOD        GET or POST (default: GET, POST with a body)
  --door-body TEXT            what a relay is sent, as JSON
  --door-timeout MS           milliseconds for one try (default: 3000)
  --door-open-for SECONDS     how long it stays open after a passage (default: 5)
  --door-held-after SECONDS   how long its leaf may stand open after that (default: 30)
  --pins simulated            pins to try things with, at /pins of this machine; what each is, the settings say
  DOOR_AUTHORIZATION          variable with the header a relay asks for, such as "Basic dXNlcjpwYXNz"

Code and secret are shown once, when the device is added on the server's device list.`

const fail = (sentence: string): never => {
  console.error(sentence)
  process.exit(1)
}

function readArguments() {
  try {
    const { values } = parseArgs({
      options: {
        server: { type: 'string' },
        code: { type: 'string' },
        secret: { type: 'string' },
        'secret-file': { type: 'string' },
        data: { type: 'string' },
        'data-key-file': { type: 'string' },
        port: { type: 'string', default: '8081' },
        host: { type: 'string', default: '127.0.0.1' },
        ca: { type: 'string' },
        cert: { type: 'string' },
        key: { type: 'string' },
        models: { type: 'string', default: process.env['MODEL_DIR'] ?? '' },
        'allow-host': { type: 'string', multiple: true, default: [] },
        'allow-frames': { type: 'boolean', default: false },
        'frames-key-file': { type: 'string' },
        'allow-console': { type: 'boolean', default: false },
        camera: { type: 'string' },
        role: { type: 'string', default: process.env['ROLE'] ?? 'terminal' },
        folder: { type: 'string' },
        'set-clock': { type: 'boolean', default: false },
        reader: { type: 'string', multiple: true, default: [] },
        supervised: { type: 'boolean', default: false },
        door: { type: 'string', default: 'simulated' },
        'door-words': { type: 'string' },
        'door-method': { type: 'string' },
        'door-body': { type: 'string' },
        'door-timeout': { type: 'string' },
        'door-open-for': { type: 'string', default: '5' },
        'door-held-after': { type: 'string', default: '30' },
        pins: { type: 'string' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    })
    return values
  } catch (error) {
    return fail(`${(error as Error).message}\n\n${USAGE}`)
  }
}

const values = readArguments()
if (values.help) {
  console.log(USAGE)
  process.exit(0)
}
/** Print a note about how the program was started that is not an error. */
const warn = (sentence: string): void => console.error(sentence)

/** Removed from the environment, so that programs started by this one do not inherit it. */
const inVariable = process.env[SECRET]
delete process.env[SECRET]

function secretGiven(): string | undefined {
  const { secret: inWords, 'secret-file': file } = values
  if (inWords !== undefined && file !== undefined) return fail('--secret and --secret-file do not go together.')
  if (inWords !== undefined)
    warn(`Everybody on this machine can read what follows --secret, with ps. Give it in a file: --secret-file FILE, or in ${SECRET}.`)
  try {
    return file === undefined ? (inWords ?? inVariable) : readSecretFile('--secret-file', file, warn)
  } catch (error) {
    return fail((error as Error).message)
  }
}

const { code, host } = values
const secret = secretGiven()
if (!values.server || !code || !secret) fail(`--server, --code and --secret-file are needed.\n\n${USAGE}`)
const options = readOptions(values, fail)
if (values.folder !== undefined && options.role !== 'camera') fail('--folder belongs to --role camera.')
if (values.folder !== undefined && values.camera !== undefined) fail('--folder and --camera do not go together.')
if (values.camera !== undefined && hasPassword(values.camera))
  warn('Everybody on this machine can read the password of --camera with ps: use an account that may only watch.')
if ((values.cert === undefined) !== (values.key === undefined)) fail('--cert and --key belong together.')
function contentOf(name: 'ca' | 'cert' | 'key') {
  const file = values[name]
  try {
    return file === undefined ? {} : { [name]: readFileSync(file, 'utf8') }
  } catch (error) {
    return fail(`--${name} ${file} cannot be read: ${(error as Error).message}`)
  }
}
const brokerTls = { ...contentOf('ca'), ...contentOf('cert'), ...contentOf('key') }

/** Replace this process by a new run of the program, if the system supports that; otherwise a supervisor starts it. */
function startAgain(): never {
  if (!values.supervised && process.platform !== 'win32' && typeof process.execve === 'function')
    process.execve(process.execPath, [process.execPath, ...process.execArgv, ...process.argv.slice(1)], {
      ...process.env,
      ...(inVariable !== undefined && { [SECRET]: inVariable }),
    })
  process.exit(RESTART)
}

try {
  const pool = new FacePool({ engine: await engineOf(modelFolder(values.models)), workers: 1 })
  const log = (sentence: string) => console.log(`${new Date().toISOString()} ${sentence}`)
  // It is online, and may be told so, before it has started.
  const restart = () => void starting.then((running) => running.stop()).then(startAgain)
  const supervised = supervisedBy(process.env['GATEHOUSE_INSTALLATION'], () => process.kill(process.pid, 'SIGTERM'))
  const shared = {
    pool,
    server: options.server,
    code: code!,
    secret: secret!,
    host,
    port: options.port,
    dataDir: values.data ?? join('data', `terminal-${encodeURIComponent(code!)}`),
    dataKeyFile: values['data-key-file'],
    brokerTls,
    allowHosts: options['allow-host'],
    allowFrames: values['allow-frames'],
    framesKeyFile: values['frames-key-file'],
    camera: values.camera,
    allowConsole: values['allow-console'],
    onRestart: restart,
    version: supervised?.versionNumber ?? TERMINAL_VERSION,
    ...(supervised && { algorithmVersion: supervised.algorithmVersion }),
    log,
  }
  const ofTerminal = () => ({
    readers: values.reader.map(
      (named) => namedReader(named, log) ?? fail(`--reader ${named} is no reader; it looks like wiegand:/dev/ttyUSB0.`),
    ),
    ...(values['set-clock'] && { setClock: machineClock() }),
    door: chosenOutput({
      door: values.door,
      words: values['door-words'],
      method: values['door-method'],
      body: values['door-body'],
      timeout: values['door-timeout'],
      authorization: process.env['DOOR_AUTHORIZATION'],
    }),
    doorOpenFor: options['door-open-for'],
    doorOvertimeAfter: options['door-held-after'],
    ...(options.pins && { pins: options.pins }),
    ...(supervised && {
      upgrades: { place: openInstallation(supervised.root, restart), proven: supervised.proven },
      installPackage: (file: string) => installPackage(file, supervised.root, log),
      upgradeKeys: upgradeKeysOf(supervised.root),
    }),
  })
  const startRole = (): Promise<Terminal | CaptureCamera> =>
    options.role === 'camera' ? startCaptureCamera({ ...shared, folder: values.folder }) : startTerminal({ ...shared, ...ofTerminal() })
  const starting = startRole()
  const started = await starting
  console.log(
    options.role === 'camera'
      ? `Camera "${code}" shows its page at ${started.url}`
      : `Terminal "${code}" shows its screen at ${started.url}`,
  )
  const stop = () => void started.stop().then(() => process.exit(0))
  process.once('SIGINT', stop)
  process.once('SIGTERM', stop)
  await started.ready()
  // A version whose engine does not start admits nobody, and must be rolled back.
  if (started.state().engine.state === 'ready') supervised?.ready()
} catch (error) {
  if (error instanceof StoreUnusable || error instanceof CameraUnusable || error instanceof ModelSetInvalid || error instanceof TypeError)
    fail(error.message)
  if ((error as { code?: unknown }).code === 'EADDRINUSE')
    fail(`Port ${values.port} is taken. Stop the program that uses it, or choose another with --port.`)
  throw error
}
