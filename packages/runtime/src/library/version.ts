// The version of the library; a test keeps it equal to the package's.
export const version = "0.1.0";
