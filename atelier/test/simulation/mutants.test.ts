// Faults planted in the product's code are found.
import { testMutants } from '../../../base/test/simulator/subject-tests.ts'

await testMutants(import.meta.dirname)
