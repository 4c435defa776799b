/* What Windows has, and Wine 8 lacks, of what the packages call: three libraries, one for each macro.
   `wine.py` compiles them with MinGW. */

#ifdef UCRTBASE
/* ucrtbase.dll forwards all functions to Wine's own one, and has these, which abort there: NumPy calls
   them when it is imported. The structures are MSVC's _Fcomplex and _Dcomplex; long double is double. */
#include <math.h>
struct single { float re, im; };
struct pair { double re, im; };
float crealf(struct single z) { return z.re; }
float cimagf(struct single z) { return z.im; }
float cabsf(struct single z) { return (float)hypot(z.re, z.im); }
float cargf(struct single z) { return (float)atan2(z.im, z.re); }
double creal(struct pair z) { return z.re; }
double cimag(struct pair z) { return z.im; }
double cabs(struct pair z) { return hypot(z.re, z.im); }
double carg(struct pair z) { return atan2(z.im, z.re); }
int DllMainCRTStartup(void *library, unsigned reason, void *reserved) { return 1; }
#endif

#ifdef BCRYPTPRIMITIVES
/* The random numbers of Rust's standard library. */
unsigned char SystemFunction036(void *bytes, unsigned long count); /* RtlGenRandom */
int ProcessPrng(unsigned char *bytes, unsigned long long count) {
    return SystemFunction036(bytes, (unsigned long)count);
}
#endif

#ifdef ICUUC
/* Qt asks ICU for the code pages that it does not know itself: there are none. */
enum { MISSING_RESOURCE = 2 };
void *ucnv_open(const char *name, int *error) { *error = MISSING_RESOURCE; return 0; }
const char *ucnv_getName(const void *converter, int *error) { *error = MISSING_RESOURCE; return 0; }
void *nothing(void) { return 0; }
#endif
