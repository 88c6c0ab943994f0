/** All settings of a form in their sections. */
import { Form } from 'antd'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { OF_ONE_DEVICE } from '@gatehouse/contract/configuration/settings'
import { path } from '../../paths.ts'
import { SECTIONS } from './fieldList.ts'
import { SecretField, type SecretSource } from './SecretField.tsx'
import { SettingField, type Inherited } from './SettingField.tsx'
import styles from './configuration.module.css'

interface SettingSectionsProps {
  inherited: Inherited
  secrets: { consolePassword: SecretSource; wifi: SecretSource }
  /** Of one device: its network address too. */
  oneDevice: boolean
}

export function SettingSections({ inherited, secrets, oneDevice }: SettingSectionsProps) {
  const { t } = useTranslation('configuration')
  const form = Form.useFormInstance()
  const unit: unknown = Form.useWatch('temperatureUnit', form)
  const fahrenheit = (unit ?? inherited.values.temperatureUnit) === 'F'
  const shown = (field: string): boolean => oneDevice || !(OF_ONE_DEVICE as readonly string[]).includes(field)
  return (
    <>
      {SECTIONS.map(({ name, fields }) => (
        <section key={name} className={styles.section} aria-labelledby={`section-${name}`}>
          <header>
            <h2 id={`section-${name}`}>{t(`section.${name}.title`)}</h2>
            <p>{t(`section.${name}.words`)}</p>
            {name === 'recognition' && (
              <p>
                <Link to={path('facePolicy')}>{t('section.recognition.policy')}</Link>
              </p>
            )}
          </header>
          <div>
            <div className={styles.fields}>
              {fields.filter(shown).map((field) => (
                <SettingField key={field} field={field} inherited={inherited} fahrenheit={fahrenheit} />
              ))}
            </div>
            {name === 'network' && <SecretField name="wifi" source={secrets.wifi} />}
            {name === 'console' && <SecretField name="consolePassword" source={secrets.consolePassword} />}
          </div>
        </section>
      ))}
    </>
  )
}
