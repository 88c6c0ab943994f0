/** The setting of which users must have a second factor. */
import { isDemandedOf, secondFactorFields, type DemandedOf } from '@gatehouse/contract/identity/second-factor'
import { INSTALLATION_ID } from '../../platform/installation.ts'
import { defineSetting, type Settings } from '../organisation/index.ts'

const demanded = defineSetting<{ demandedOf: DemandedOf }>('identity.secondFactor', secondFactorFields, { demandedOf: 'nobody' })

export interface SecondFactorDemand {
  /** Return whether a second factor is demanded of users with this role sign. */
  isDemandedOf(roleSign: string): boolean
  config(): { demandedOf: DemandedOf; version: number }
  /** Store the demand. It applies to sessions once `forgetOwners` was called. */
  configure(config: { demandedOf: DemandedOf }, version: number | undefined): Promise<void>
  /** Read the demand again if the changed setting is this one. @returns whether it is */
  refresh(changed: { ownerId: string; name: string }): Promise<boolean>
}

export function createSecondFactorDemand(settings: Settings): SecondFactorDemand {
  return {
    isDemandedOf: (roleSign) => isDemandedOf(settings.read(INSTALLATION_ID, demanded).demandedOf, roleSign),
    config() {
      const { demandedOf, version } = settings.show(INSTALLATION_ID, demanded)
      return { demandedOf, version }
    },
    configure: (config, version) => settings.write(INSTALLATION_ID, demanded, config, version),
    async refresh({ ownerId, name }) {
      if (ownerId !== INSTALLATION_ID || name !== demanded.name) return false
      await settings.refresh(ownerId, demanded)
      return true
    },
  }
}
