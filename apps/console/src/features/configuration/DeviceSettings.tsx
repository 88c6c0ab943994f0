/** What one device has of its own, beside what it follows the park in. */
import { useQueryClient } from '@tanstack/react-query'
import { Button } from 'antd'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { configurationCalls, type DeviceSettingDetail } from '@gatehouse/contract/configuration/calls'
import { deviceModel, deviceType } from '@gatehouse/contract/enums/devices'
import { DetailPage } from '../../kit/detail/DetailPage.tsx'
import { useEnumLabel } from '../../kit/detail/EnumTag.tsx'
import { readOptions, useRead } from '../../api/query.ts'
import { Screen } from '../../kit/detail/Screen.tsx'
import { useContractForm } from '../../kit/form/useContractForm.ts'
import { useEditor } from '../../kit/form/useEditor.ts'
import { path } from '../../paths.ts'
import { CopyDialog, type CopySource } from './CopyDialog.tsx'
import { SettingsForm } from './SettingsForm.tsx'
import { UNKEPT, contradictionsIn, inheritedFrom, valuesOf, type SettingValues } from './settingValues.ts'
import { readPark } from '../../api/readPark.ts'
import styles from './configuration.module.css'

export function DeviceSettings({ id }: { id: string }) {
  const detail = useRead(configurationCalls.detail, { query: { id } })
  return <DetailPage query={detail}>{(found) => <DeviceForm detail={found} />}</DetailPage>
}

function DeviceForm({ detail }: { detail: DeviceSettingDetail }) {
  const { t } = useTranslation('configuration')
  const label = useEnumLabel()
  const cache = useQueryClient()
  const copying = useEditor<CopySource>()
  const { id, name, park, secrets, version } = detail
  const inherited = useMemo(() => inheritedFrom(park), [park])
  const initial = useMemo(() => valuesOf(detail), [detail])
  const contract = useContractForm<typeof configurationCalls.add, SettingValues>({
    call: configurationCalls.add,
    hidden: { deviceId: id, version },
    also: (values) => contradictionsIn(values, inherited),
    unkept: UNKEPT,
    draft: `deviceSetting.${id}`,
    done: t('device.saved'),
    // Shown at once: until it is read again, what was before would come back for a moment.
    onDone(saved) {
      cache.setQueryData(readOptions(configurationCalls.detail, { query: { id } }).queryKey, saved)
      readPark()
    },
  })
  return (
    <Screen
      title={t('device.title', { name })}
      note={`${label(deviceType, detail.deviceType)} · ${label(deviceModel, detail.model)}`}
      actions={<Button onClick={() => copying.edit({ from: 'device', id, name })}>{t('copy.action')}</Button>}
    >
      <p className={styles.words}>
        {t('device.words')} <Link to={path('deviceConfigDefaults')}>{t('device.parkLink')}</Link>
      </p>
      <SettingsForm contract={contract} initial={initial} inherited={inherited} secrets={secrets} oneDevice />
      {copying.round > 0 && copying.target && <CopyDialog key={copying.round} editor={copying} source={copying.target} />}
    </Screen>
  )
}
