/** /deviceConfigDefaults: settings of devices of the park that have none of their own. */
import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { configurationCalls, type ParkSettings } from '@gatehouse/contract/configuration/calls'
import { DetailPage } from '../../kit/detail/DetailPage.tsx'
import { readOptions, useRead } from '../../api/query.ts'
import { useSession } from '../../api/session.ts'
import { useContractForm } from '../../kit/form/useContractForm.ts'
import { ConfigScreen } from './ConfigScreen.tsx'
import { SettingsForm } from './SettingsForm.tsx'
import { NOT_IN_DRAFTS, contradictionsIn, inheritedFrom, sourcesOf, valuesOf, type SettingValues } from './settingValues.ts'
import { readPark } from '../../api/readPark.ts'
import styles from './configuration.module.css'

export default function ParkDefaultsPage() {
  const { t } = useTranslation('configuration')
  const park = useRead(configurationCalls.park, {})
  return (
    <ConfigScreen tab="deviceConfigDefaults">
      <p className={styles.words}>{t('park.words')}</p>
      <DetailPage query={park}>{(found) => <ParkForm park={found} />}</DetailPage>
    </ConfigScreen>
  )
}

function ParkForm({ park }: { park: ParkSettings }) {
  const { t } = useTranslation('configuration')
  const cache = useQueryClient()
  const area = useSession((session) => session.park?.areaCode ?? '')
  const inherited = useMemo(() => inheritedFrom(), [])
  const initial = useMemo(() => valuesOf(park), [park])
  const contract = useContractForm<typeof configurationCalls.changePark, SettingValues>({
    call: configurationCalls.changePark,
    hidden: { version: park.version },
    also: (values) => contradictionsIn(values, inherited),
    unkept: NOT_IN_DRAFTS,
    draft: `deviceSetting.park.${area}`,
    done: t('park.saved'),
    // Cached at once: otherwise the former values would be shown again until the next read.
    onDone(saved) {
      cache.setQueryData(readOptions(configurationCalls.park, {}).queryKey, saved)
      readPark()
    },
  })
  return <SettingsForm contract={contract} initial={initial} inherited={inherited} secrets={sourcesOf(park.secretsSet)} />
}
