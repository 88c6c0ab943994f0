/** What is below a form of how messages leave: saving, and a trial by the settings as they are stored. */
import { Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ProviderChannel } from '@gatehouse/contract/visitors/messaging'
import { SettingsFoot } from '../../../kit/form/SettingsFoot.tsx'
import type { ContractForm } from '../../../kit/form/useContractForm.ts'
import { ProviderTrial } from './ProviderTrial.tsx'

interface MessagingFootProps {
  /** Id of the form. */
  id: string
  contract: Pick<ContractForm<object>, 'dirty' | 'restored' | 'pending' | 'discard'>
  /** Label of the button that saves: there are two on the page. */
  save: string
  channels: readonly ProviderChannel[]
}

export function MessagingFoot({ id, contract: { dirty, restored, pending, discard }, save, channels }: MessagingFootProps) {
  const { t } = useTranslation('visitors')
  const [trial, setTrial] = useState<ProviderChannel>()
  const unsaved = dirty || restored
  return (
    <SettingsFoot
      form={id}
      unsaved={unsaved}
      pending={pending}
      texts={{ save, discard: t('settings.discard'), unsaved: t('settings.unsaved') }}
      discard={discard}
    >
      {channels.map((channel) => (
        <Button key={channel} disabled={unsaved} onClick={() => setTrial(channel)}>
          {t(`messaging.try.${channel}`)}
        </Button>
      ))}
      {trial && <ProviderTrial channel={trial} close={() => setTrial(undefined)} />}
    </SettingsFoot>
  )
}
