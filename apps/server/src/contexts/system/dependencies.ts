import type { OrganisationService, Settings } from '../organisation/index.ts'
import type { MessageDependencies } from './messages.ts'
import type { NewestPassages } from './screens.ts'

export interface SystemDependencies extends MessageDependencies {
  settings: Settings
  organisation: OrganisationService
  /** Return the running face engine. */
  engine(): { name: string; modelId: string; kind: string }
  newestPassages: NewestPassages
}
