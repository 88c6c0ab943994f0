/** Whom a release lets go to a device, told before it is made. */
import { LoadingOutlined } from '@ant-design/icons'
import { useTranslation } from 'react-i18next'
import { deviceCalls, type Device } from '@gatehouse/contract/devices/calls'
import { useRead } from '../../api/query.ts'
import { shownName } from '../../kit/shownName.ts'

export function ReleaseQuestion({ device: { id, pairedBy } }: { device: Device }) {
  const { t, i18n } = useTranslation('devices')
  const { data: effect } = useRead(deviceCalls.releaseEffect, { params: { id } })
  return (
    <>
      <p role="status">
        {effect ? t('release.words', { count: effect.persons, n: effect.persons.toLocaleString(i18n.language) }) : <LoadingOutlined />}
      </p>
      {pairedBy !== '' && <p>{t('release.pairedBy', { name: shownName(pairedBy) })}</p>}
    </>
  )
}
