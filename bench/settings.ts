/** Environment variables of the benchmarks. An invalid value ends the run before anything is measured. */
import { number, oneOf, readEnvironment, SettingsInvalid, wholeNumber } from '@gatehouse/server/environment'

const count = (fallback: number) => wholeNumber('a number', [1, 1_000_000_000]).default(fallback)

const variables = {
  BURST_ALARMS: count(5_000).describe('Alarms of a burst.'),
  BURST_SECONDS: count(60).describe('Seconds in which they are raised.'),
  CAPTURES: count(10_000_000).describe('Captures that are searched.'),
  CONSOLE_LOADS: count(9).describe('How often each page is loaded in each language.'),
  DAY_CAPTURES: count(333_333).describe('Captures of a day that is read into memory.'),
  DEVICES_SHARE: number('a share', [0, 1]).default(1).describe('Share of the devices that are made.'),
  IMPORT_ROWS: count(1_000).describe('Rows of the import.'),
  INGEST_DEVICES: count(200).describe('Devices that send over MQTT.'),
  INGEST_SECONDS: count(20).describe('Seconds these devices send.'),
  LIVE_DEVICES: count(250).describe('Devices that send while somebody watches.'),
  LIVE_ONLY: oneOf(['stomp', 'browser']).optional().describe('The one way of watching that is measured.'),
  LIVE_SECONDS: count(20).describe('Seconds these devices send.'),
  RECORDS: count(10_000_000).describe('Access records that are written.'),
  SURVEILLANCE_CAMERAS: count(50).describe('Cameras that capture faces.'),
  SURVEILLANCE_PERSONS: count(100_000).describe('Persons whom tasks look out for.'),
  SURVEILLANCE_SECONDS: count(20).describe('Seconds these cameras capture, with pictures and without.'),
  REPLAYED: count(100_000).describe('Captures of the week that a task is tried on.'),
  REPLAYED_PERSONS: count(1_000).describe('Persons that they are compared with.'),
  TERMINAL_PERSONS: count(50_000).describe('Persons in the store of the terminal.'),
}

function readSettings() {
  try {
    return readEnvironment(variables, process.env)
  } catch (error) {
    if (!(error instanceof SettingsInvalid)) throw error
    process.stderr.write(`${error.message}\n`)
    return process.exit(1)
  }
}

export const settings = readSettings()
