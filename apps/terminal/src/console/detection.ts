/** Detection: test the camera, the engine and the readers, and report which of them are missing. */
import { FACE_FILE_MAX } from '@gatehouse/contract/limits'
import { recordedScore } from '@gatehouse/contract/score'
import { scoreOf, type Calibration } from '@gatehouse/face-engine'
import { ConsoleRefusal } from './answers.ts'
import type { ConsoleCalls } from './call.ts'
import type { FaceReader } from './face-reader.ts'
import type { SearchableHoldings } from '../store/holdings.ts'

/** A thermometer for the forehead of the person at the terminal. */
export interface TemperatureProbe {
  /** Return degrees Celsius. @throws when nothing can be measured */
  measure(): Promise<number>
}

/** A reader on the Wiegand lines. */
export interface WiegandProbe {
  /** Return the number of the next card, within a few seconds. @throws when none comes or it cannot be read */
  next(): Promise<string>
}

export interface DetectionParts {
  reader: FaceReader
  holdings: Pick<SearchableHoldings, 'nearest' | 'person'>
  engine: () => { name: string; modelId: string; state: string; tellsLiving: boolean; calibration: Calibration }
  temperature: TemperatureProbe | null
  wiegand: WiegandProbe | null
}

export function detectionCalls({ reader, holdings, engine, temperature, wiegand }: DetectionParts): ConsoleCalls {
  return {
    'GET detection': {
      run() {
        const { name, modelId, state, tellsLiving } = engine()
        return { engine: { name, modelId, state, tellsLiving }, temperature: temperature !== null, wiegand: wiegand !== null }
      },
    },
    /** This opens no door and makes no record. */
    'POST detection/face': {
      bodyLimit: FACE_FILE_MAX,
      async run({ body }) {
        const { faces, timings } = await reader.analyse(body)
        const [face] = faces
        const nearest = face?.embedding ? holdings.nearest(face.embedding)[0] : undefined
        return {
          faces: faces.length,
          milliseconds: Math.round(timings.total),
          face: face
            ? {
                sharpness: face.sharpness,
                brightness: face.brightness,
                lowerFace: face.lowerFace,
                certainty: face.score,
                liveness: face.livenessScore ?? null,
                width: Math.round(face.box.width),
              }
            : null,
          nearest: nearest
            ? { name: holdings.person(nearest.personId)?.name ?? '', score: recordedScore(scoreOf(engine().calibration, nearest.distance)) }
            : null,
        }
      },
    },
    'POST detection/temperature': {
      async run() {
        if (!temperature) throw new ConsoleRefusal('temperatureFailure', { why: { key: 'noSuchReader' } })
        return { celsius: await temperature.measure().catch(() => Promise.reject(new ConsoleRefusal('temperatureFailure'))) }
      },
    },
    'POST detection/wiegand': {
      async run() {
        if (!wiegand) throw new ConsoleRefusal('wiegandReadFailure', { why: { key: 'noSuchReader' } })
        return { card: await wiegand.next().catch(() => Promise.reject(new ConsoleRefusal('wiegandReadFailure'))) }
      },
    },
  }
}
