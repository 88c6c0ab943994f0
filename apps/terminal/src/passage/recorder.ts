/** Recording of passages: the record at once, its picture after it. A full disk costs pictures first. */
import { encodeChecks, temperatureStatusOf, type Measured } from '@gatehouse/access-rules'
import { accessResult } from '@gatehouse/contract/enums'
import type { DeviceSettings } from '@gatehouse/contract/device/protocol-manifest'
import type { PhotoAnalysis } from '@gatehouse/face-engine'
import type { Device } from '../device/device.ts'
import type { TerminalStore } from '../store/store.ts'
import type { Outcome } from './decision.ts'
import { faceCrop } from './face-crop.ts'

/** A picture in which a face was found. */
export interface Picture {
  photo: Uint8Array
  analysis: PhotoAnalysis
}

export interface Recorder {
  /** Store the record, and its picture once it has been cropped. @returns the record's id; null if it could not be written */
  record(settings: DeviceSettings, outcome: Outcome, about: { moment: number; measured: Measured; picture: Picture | null }): string | null
  /** Return false after a record could not be written. */
  storageWorks(): boolean
  /** Return the number of unsent pictures dropped since the start for lack of space. */
  picturesLost(): number
  /** Resolves when the pictures of all records so far are stored. */
  settled(): Promise<void>
}

export interface RecorderOptions {
  store: Pick<TerminalStore, 'keepRoom' | 'makeRoom' | 'tight'>
  device: Pick<Device, 'appendRecord' | 'addPicture'>
  log: (sentence: string) => void
  onPicture: (recordId: string, image: Uint8Array) => void
}

/** Pictures cropped at once; each takes a whole photograph in memory. */
const CROPS = 4
const NAME_LENGTH = 64

export function createRecorder({ store, device, log, onPicture }: RecorderOptions): Recorder {
  const crops = new Set<Promise<void>>()
  let storageWorks = true
  let picturesLost = 0

  function keepPicture(recordId: string, { photo, analysis }: Picture): void {
    const { faces, width, height } = analysis
    if (crops.size >= CROPS || store.tight()) {
      picturesLost++
      return
    }
    const crop = cutAndStore()
    crops.add(crop)
    void crop.finally(() => crops.delete(crop))

    async function cutAndStore(): Promise<void> {
      try {
        const image = await faceCrop(photo, faces[0]!.box, { width, height })
        const lost = device.addPicture(recordId, image)
        if (lost > 0) {
          picturesLost += lost
          log(`${lost} unsent pictures gave way to newer ones: their quota is used up.`)
        }
        onPicture(recordId, image)
      } catch (error) {
        picturesLost++
        log(`The picture of record ${recordId} could not be kept: ${error instanceof Error ? error.message : String(error)}`)
      }
    }
  }

  /** Store a record. On a full disk, pictures are dropped first. */
  function append(settings: DeviceSettings, outcome: Outcome, moment: number, measured: Measured, hasPicture: boolean): string | null {
    const write = () =>
      device.appendRecord({
        occurredAt: moment,
        personId: outcome.personId,
        personName: outcome.personName.slice(0, NAME_LENGTH),
        ...(outcome.contactId !== null && { contactId: outcome.contactId, contactName: outcome.contactName.slice(0, NAME_LENGTH) }),
        result: outcome.verdict === 'allowed' ? accessResult.allowed : accessResult.rejected,
        failReason: outcome.failReason,
        verifyType: outcome.verifyType,
        direction: settings.direction,
        score: outcome.score,
        checks: encodeChecks(outcome.checks),
        revision: outcome.revision,
        hasPicture,
        ...measurements(settings, measured),
      })?.id ?? null
    try {
      picturesLost += store.keepRoom()
      const id = attempt(write, () => {
        log('The disk is full: pictures give way to records.')
        picturesLost += store.makeRoom()
      })
      storageWorks = true
      return id
    } catch (error) {
      storageWorks = false
      log(
        `A record could not be written: ${error instanceof Error ? error.message : String(error)}. The door works ` +
          'on, but this passage is not recorded.',
      )
      return null
    }
  }

  return {
    record(settings, outcome, { moment, measured, picture }) {
      const id = append(settings, outcome, moment, measured, picture !== null)
      if (id !== null && picture) keepPicture(id, picture)
      return id
    },
    storageWorks: () => storageWorks,
    picturesLost: () => picturesLost,
    async settled() {
      await Promise.all(crops)
    },
  }
}

/** Degrees Celsius expected of a person if the settings name no limits. */
const USUAL = { minimum: 35, maximum: 37.3 }

/** Return the measurements of the sensors as a record contains them. */
function measurements({ configuration }: DeviceSettings, { temperature = null, mask = null, helmet = null }: Measured) {
  const range = configuration ? { minimum: configuration.temperatureMinimum, maximum: configuration.temperatureMaximum } : USUAL
  const temperatureStatus = temperatureStatusOf(temperature, range)
  return {
    ...(temperature !== null && { temperature }),
    ...(temperatureStatus !== null && { temperatureStatus }),
    ...(mask !== null && { mask: Number(mask) }),
    ...(helmet !== null && { helmet: Number(helmet) }),
  }
}

/** Do the work, and repeat it once after `remedy` if it fails. */
function attempt<T>(work: () => T, remedy: () => void): T {
  try {
    return work()
  } catch {
    remedy()
    return work()
  }
}
