/** One at a time: two commands started at once must not install, or build the console, into each other. */
import { mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

const LOOK_AGAIN_MS = 300
/** Whoever has the turn touches its file so often; untouched for so long it is left over, whatever process has its number now. */
const TOUCH_MS = 5_000
const LEFT_OVER_MS = 60_000

function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // Somebody else's process may not be signalled, but it is there.
    return error.code === 'EPERM'
  }
}

/** Takes the file; false where somebody has it. */
function take(file) {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
    return false
  }
}

function isLeftOver(file) {
  try {
    const holder = Number(readFileSync(file, 'utf8'))
    return Date.now() - statSync(file).mtimeMs > LEFT_OVER_MS || (holder > 0 && !isAlive(holder))
  } catch {
    // Gone meanwhile: it is looked at again.
    return false
  }
}

/**
 * Does something when no other command of this folder does the same; one that died does not count. `said` is told to
 * the person once, if there is somebody to wait for.
 */
export async function inTurn(root, name, said, work) {
  const folder = join(root, '.cache')
  const file = join(folder, `${name}.turn`)
  mkdirSync(folder, { recursive: true })
  let told = false
  while (!take(file)) {
    if (isLeftOver(file)) rmSync(file, { force: true })
    else {
      if (!told) console.error(said)
      told = true
      await delay(LOOK_AGAIN_MS)
    }
  }
  const touch = setInterval(() => utimesSync(file, new Date(), new Date()), TOUCH_MS)
  try {
    return await work()
  } finally {
    clearInterval(touch)
    rmSync(file, { force: true })
  }
}
