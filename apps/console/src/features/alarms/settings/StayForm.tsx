/** How long bubbles of alarms stay. */
import { useQueryClient } from '@tanstack/react-query'
import { Form, Segmented } from 'antd'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { alarmsCalls } from '@gatehouse/contract/alarms/calls'
import type { AlarmConfig } from '@gatehouse/contract/alarms/config'
import { alarmPopupStay } from '@gatehouse/contract/enums/alarms'
import { readOptions } from '../../../api/query.ts'
import { useSession } from '../../../api/session.ts'
import { useEnumOptions } from '../../../kit/detail/EnumTag.tsx'
import { FormBody } from '../../../kit/form/FormBody.tsx'
import { ready } from '../../../kit/form/loaded.ts'
import { Setting } from '../../../kit/form/Setting.tsx'
import { SettingsFoot } from '../../../kit/form/SettingsFoot.tsx'
import { useContractForm } from '../../../kit/form/useContractForm.ts'
import styles from './settings.module.css'

export function StayForm({ settings: { version, ...values } }: { settings: AlarmConfig & { version: number } }) {
  const { t } = useTranslation('alarms')
  const id = useId()
  const cache = useQueryClient()
  const optionsOf = useEnumOptions()
  const park = useSession((session) => session.park?.areaCode ?? '')
  const contract = useContractForm<typeof alarmsCalls.saveConfig, AlarmConfig>({
    call: alarmsCalls.saveConfig,
    hidden: { version },
    draft: `alarmStay.${park}`,
    done: t('config.saved'),
    onDone: (saved) => cache.setQueryData(readOptions(alarmsCalls.config, {}).queryKey, saved),
  })
  // In the order of how long they stay.
  const options = optionsOf(alarmPopupStay)
  return (
    <div className={styles.page}>
      <FormBody id={id} initial={ready(values)} contract={contract}>
        <Setting title={t('config.stay')} words={t('config.stayWords')}>
          <Form.Item name="stay_time" label={t('config.stay_time')} extra={t('config.stay_timeWords')}>
            <Segmented aria-label={t('config.stay_time')} options={options} />
          </Form.Item>
          <Form.Item
            name="device_alert_stay_time"
            label={t('config.device_alert_stay_time')}
            extra={t('config.device_alert_stay_timeWords')}
          >
            <Segmented aria-label={t('config.device_alert_stay_time')} options={options} />
          </Form.Item>
        </Setting>
      </FormBody>
      <SettingsFoot
        form={id}
        unsaved={contract.dirty || contract.restored}
        pending={contract.pending}
        texts={{ save: t('config.saveStay'), discard: t('config.discard'), unsaved: t('config.unsaved') }}
        discard={contract.discard}
      />
    </div>
  )
}
