/** The state of a terminal as its screen, its console and programs read it. */
import type { EngineDescription } from '@gatehouse/face-engine'
import type { CameraState } from '../camera/source.ts'
import type { Device } from '../device/device.ts'
import type { Door } from '../door/door.ts'
import type { Passage } from '../passage/passage.ts'
import type { Surroundings } from '../settings/surroundings.ts'
import type { SearchableHoldings } from '../store/holdings.ts'
import type { UpgradeAgent } from '../upgrade/agent.ts'
import type { TerminalState } from '../state.ts'
import type { EngineState } from './engine.ts'

export interface StateParts {
  version: string
  code: string
  device: Pick<Device, 'state'>
  holdings: SearchableHoldings
  /** The scores a face must reach at present; null before the first settings. */
  thresholds: () => { face: number } | null
  door: Pick<Door, 'state'>
  passage: Pick<Passage, 'picturesLost' | 'storageWorks'>
  description: EngineDescription
  engine: () => EngineState
  camera: () => CameraState | null
  upgrades: Pick<UpgradeAgent, 'shown'>
  clock: () => number
  surroundings: () => Pick<Surroundings, 'state'>
}

export function terminalState({ version, code, holdings, description, ...parts }: StateParts): TerminalState {
  const { link, security, clockOffset, queue } = parts.device.state()
  const { kind, modelId, name, livenessModelId } = description
  const sent = holdings.settings()
  return {
    version,
    code,
    device: sent && { ...sent, threshold: parts.thresholds()!.face },
    link,
    security,
    clockOffset,
    door: parts.door.state(),
    held: { revision: holdings.revision(), ...holdings.counts(), faces: holdings.faces(), renewing: holdings.renewing() },
    queue: { ...queue, picturesLost: parts.passage.picturesLost() },
    engine: { kind, modelId, name, tellsLiving: livenessModelId !== null, state: parts.engine() },
    camera: parts.camera(),
    storageWorks: parts.passage.storageWorks(),
    upgrade: parts.upgrades.shown(),
    time: parts.clock(),
    ...parts.surroundings().state(),
  }
}
