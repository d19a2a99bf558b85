/** The entry `usher-router/observe`: imported first, or with `node --import`, it puts the observer in place before anything else runs. */
import { installObserver } from './observer.ts'

installObserver()
