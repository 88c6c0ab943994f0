/** /deviceConfigDetail: with ?id= what a device has of its own, with ?template= a template, a new one where it names none. */
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { Screen } from '../../kit/detail/Screen.tsx'
import { DeviceSettings } from './DeviceSettings.tsx'
import { AddTemplate, ChangeTemplate } from './TemplateForm.tsx'

export default function DeviceConfigDetailPage() {
  const { t } = useTranslation('configuration')
  const [search] = useSearchParams()
  const [id, template] = [search.get('id'), search.get('template')]
  if (id !== null) return <DeviceSettings key={id} id={id} />
  if (template === null)
    return (
      <Screen title={t('title')}>
        <p role="alert">{t('nothingNamed')}</p>
      </Screen>
    )
  return template === '' ? <AddTemplate /> : <ChangeTemplate key={template} id={template} />
}
