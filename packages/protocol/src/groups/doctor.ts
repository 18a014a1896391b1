import { DoctorCheckParamsSchema, DoctorCheckResultSchema } from "../doctor.ts";

export const doctorMethods = {
  "doctor.check": { params: DoctorCheckParamsSchema, result: DoctorCheckResultSchema },
} as const;
